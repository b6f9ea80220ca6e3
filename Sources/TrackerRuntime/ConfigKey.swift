/// One row of the configuration table: drives parsing, validation, `config explain` and the sample file.
public struct ConfigKey {
    /// Dotted path in the file.
    public var path: String
    /// Unit of the value; empty for none.
    public var unit: String
    /// What is accepted, in words.
    public var valid: String
    public var meaning: String
    /// Reads the text into the configuration; returns what is wrong with it, or `nil`.
    var parse: (String, inout TrackerConfig) -> String?
    /// The value of a configuration as it would stand in the file.
    let text: (TrackerConfig) -> String

    /// An integer; stored as `value × scale` where the engine counts in a finer unit than the file.
    static func integer<Value: BinaryInteger>(
        _ path: String, _ place: WritableKeyPath<TrackerConfig, Value>, _ range: ClosedRange<Int64>, scale: Int64 = 1,
        unit: String = "", _ meaning: String
    ) -> ConfigKey {
        let valid = "\(range.lowerBound)…\(range.upperBound)"
        return ConfigKey(
            path: path, unit: unit, valid: valid, meaning: meaning,
            parse: { text, config in
                let number = text.hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
                guard let number else { return "'\(text)' is no whole number; give \(valid)" }
                guard range.contains(number) else { return "\(number) is out of range; give \(valid)" }
                config[keyPath: place] = Value(number * scale)
                return nil
            },
            text: { String(Int64($0[keyPath: place]) / scale) })
    }

    static func decimal(
        _ path: String, _ place: WritableKeyPath<TrackerConfig, Double>, _ range: ClosedRange<Double>, unit: String,
        _ meaning: String
    ) -> ConfigKey {
        let valid = "\(range.lowerBound)…\(range.upperBound)"
        return ConfigKey(
            path: path, unit: unit, valid: valid, meaning: meaning,
            parse: { text, config in
                guard let number = Double(text), number.isFinite else { return "'\(text)' is no number; give \(valid)" }
                guard range.contains(number) else { return "\(text) is out of range; give \(valid)" }
                config[keyPath: place] = number
                return nil
            },
            text: { "\($0[keyPath: place])" })
    }

    static func flag(_ path: String, _ place: WritableKeyPath<TrackerConfig, Bool>, _ meaning: String) -> ConfigKey {
        ConfigKey(
            path: path, unit: "", valid: "true or false", meaning: meaning,
            parse: { text, config in
                guard text == "true" || text == "false" else { return "'\(text)' is neither true nor false" }
                config[keyPath: place] = text == "true"
                return nil
            },
            text: { $0[keyPath: place] ? "true" : "false" })
    }

    static func choice(
        _ path: String, _ values: [String], _ meaning: String, get: @escaping (TrackerConfig) -> String,
        set: @escaping (inout TrackerConfig, String) -> Void
    ) -> ConfigKey {
        let valid = values.joined(separator: ", ")
        return ConfigKey(
            path: path, unit: "", valid: valid, meaning: meaning,
            parse: { text, config in
                guard values.contains(text) else { return "'\(text)' is not one of \(valid)" }
                set(&config, text)
                return nil
            },
            text: get)
    }

    /// Text; `check` returns what is wrong with it, or `nil`.
    static func text(
        _ path: String, _ place: WritableKeyPath<TrackerConfig, String>, valid: String, _ meaning: String,
        check: @escaping (String) -> String?
    ) -> ConfigKey {
        ConfigKey(
            path: path, unit: "", valid: valid, meaning: meaning,
            parse: { text, config in
                if let problem = check(text) { return problem }
                config[keyPath: place] = text
                return nil
            },
            text: { $0[keyPath: place] })
    }
}
