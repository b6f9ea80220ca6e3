/// The answers to successive uploads, as text `500,500,200*`; the last one goes on.
public struct StatusScript: Equatable, Sendable {
    public enum Answer: Equatable, Sendable {
        /// The points are kept at 200…299 only.
        case status(Int)
        /// With `Retry-After`, in seconds or as a date beside the answer's own `Date`.
        case retry(Int, afterSec: Int, asDate: Bool)
        /// With `Location`.
        case redirect(Int, to: String)
        /// Keeps the points and closes without an answer.
        case cut
        /// Keeps the points and closes in the middle of the answer's headers.
        case half
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
        case "half": return .half
        case "slow": return .slow
        case "garbage": return .garbage
        default:
            if let answer = status(word) { return answer }
            throw BenchFailure(
                cause: "\"\(word)\" is no answer of a status script",
                remedy:
                    "Use statuses 200…599, 429+SECONDS, 429+dateSECONDS, 307>PLACE, cut, half, slow or garbage with "
                    + "commas, the last may end with *.")
        }
    }

    private static func status(_ word: Substring) -> Answer? {
        let digits = word.prefix { $0.isNumber }
        let rest = word.dropFirst(digits.count)
        guard let status = Int(digits), (200...599).contains(status) else { return nil }
        if rest.isEmpty { return .status(status) }
        if rest.hasPrefix(">") { return .redirect(status, to: String(rest.dropFirst())) }
        let asDate = rest.hasPrefix("+date")
        guard rest.hasPrefix("+"), let seconds = Int(rest.dropFirst(asDate ? 5 : 1)) else { return nil }
        return .retry(status, afterSec: seconds, asDate: asDate)
    }

    public mutating func next() -> Answer {
        defer { at = min(at + 1, answers.count - 1) }
        return answers[at]
    }
}
