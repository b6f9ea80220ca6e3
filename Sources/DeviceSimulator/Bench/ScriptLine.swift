/// Why a script of the bench cannot be used.
public struct ScriptFailure: Error, Equatable, Sendable {
    /// Line of the text, from 1; 0 for the whole.
    public var line: Int
    public var message: String
}

/// A line of a script that says something; `#` starts a comment.
struct ScriptLine {
    /// From 1; empty lines count.
    var number: Int
    /// One at least.
    var words: [Substring]

    static func all(_ text: String) -> [ScriptLine] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap {
            index, line in
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            return words.isEmpty ? nil : ScriptLine(number: index + 1, words: words)
        }
    }

    /// Seconds as milliseconds: to a year, which is longer than any bench run, so that they add up without overflow.
    static func millis(_ word: Substring, atLeastSeconds least: Double = 0) -> Int64? {
        guard let seconds = Double(word), seconds >= least, seconds <= 366 * 86_400 else { return nil }
        return Int64((seconds * 1_000).rounded())
    }

    func failure(_ message: String) -> ScriptFailure { ScriptFailure(line: number, message: message) }
}
