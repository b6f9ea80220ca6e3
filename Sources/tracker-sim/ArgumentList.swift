/// What is wrong with the command line.
struct UsageFailure: Error {
    var message: String
}

/// Takes options out of a command line; what is left in the end is a mistake.
struct ArgumentList {
    private var words: [String]

    init(_ words: [String]) { self.words = words }

    /// The next word that is no option.
    mutating func takePositional() -> String? {
        guard let first = words.first, !first.hasPrefix("-") else { return nil }
        return words.removeFirst()
    }

    mutating func takeFlag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: name) else { return false }
        words.remove(at: index)
        return true
    }

    mutating func takeOption(_ name: String) throws(UsageFailure) -> String? {
        guard let index = words.firstIndex(of: name) else { return nil }
        guard index + 1 < words.count else { throw UsageFailure(message: "\(name) needs a value") }
        let value = words[index + 1]
        words.removeSubrange(index...index + 1)
        return value
    }

    mutating func takeRequired(_ name: String, of command: String) throws(UsageFailure) -> String {
        guard let value = try takeOption(name) else { throw UsageFailure(message: "\(command) needs \(name)") }
        return value
    }

    /// A value that `parse` understands.
    mutating func take<Value>(
        _ name: String, _ meaning: String, _ parse: (String) -> Value?
    ) throws(UsageFailure) -> Value? {
        guard let text = try takeOption(name) else { return nil }
        guard let value = parse(text) else {
            throw UsageFailure(message: "\(name) takes \(meaning), not \"\(text)\"")
        }
        return value
    }

    func expectEnd() throws(UsageFailure) {
        if let word = words.first { throw UsageFailure(message: "\"\(word)\" is not understood here") }
    }
}
