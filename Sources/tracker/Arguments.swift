import TrackerModel
import WireText

/// Command-line words sorted into options and operands.
struct Arguments {
    /// What is wrong with the command line, for the user.
    struct Failure: Error {
        var message: String
    }

    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    /// - Parameters:
    ///   - options: names that take a value (`--config FILE` or `--config=FILE`).
    ///   - switches: names that take none.
    init(_ words: [String], options: Set<String> = [], switches: Set<String> = []) throws(Failure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word != "--" else {
                if word == "--" {
                    operands += rest
                    return
                }
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if switches.contains(word) {
                flags.insert(word)
            } else if options.contains(parts[0]) {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw Failure(message: "\(word) needs a value")
                }
                values[parts[0], default: []].append(value)
            } else {
                throw Failure(message: "there is no option \(parts[0])")
            }
        }
    }

    /// The last one where an option was given twice.
    func value(_ option: String) -> String? { values[option]?.last }

    /// All of an option that may be given more than once.
    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// Midnight UTC of a day given as `yyyy-MM-dd`; `nil` when the option is not there.
    func date(_ option: String) throws(Failure) -> UTCTime? {
        guard let text = value(option) else { return nil }
        guard text.utf8.count == 10, let time = TimeText.parse(text) else {
            throw Failure(message: "\(option) needs a day that exists as YYYY-MM-DD, not '\(text)'")
        }
        return time
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }
}
