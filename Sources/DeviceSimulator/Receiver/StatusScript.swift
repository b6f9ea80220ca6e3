/// The answers to successive uploads, as text `500,500,200*`; the last one goes on.
public struct StatusScript: Equatable, Sendable {
    public enum Answer: Equatable, Sendable {
        /// The points are kept at 200…299 only.
        case status(Int)
        /// Keeps the points and closes without an answer.
        case cut
        /// Keeps the points and answers 200 after 3 s.
        case slow
        /// Keeps the points and answers with bytes that are no HTTP.
        case garbage
    }

    private let answers: [Answer]
    private var at = 0

    /// Answers 200 for ever.
    public init() { answers = [.status(200)] }

    /// - Throws: `BenchFailure` that names the word that is not understood.
    public init(_ text: String) throws(BenchFailure) {
        var answers: [Answer] = []
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        for (index, word) in words.enumerated() {
            let isLast = index == words.count - 1
            answers.append(try Self.answer(isLast && word.hasSuffix("*") ? word.dropLast() : word))
        }
        self.answers = answers
    }

    private static func answer(_ word: Substring) throws(BenchFailure) -> Answer {
        switch word {
        case "cut": return .cut
        case "slow": return .slow
        case "garbage": return .garbage
        default:
            guard let status = Int(word), (200...599).contains(status) else {
                throw BenchFailure(
                    cause: "\"\(word)\" is no answer of a status script",
                    remedy: "Use statuses 200…599, cut, slow or garbage with commas, the last may end with *.")
            }
            return .status(status)
        }
    }

    public mutating func next() -> Answer {
        defer { at = min(at + 1, answers.count - 1) }
        return answers[at]
    }
}
