public import TrackerModel

/// What a server's `Retry-After` asks for (spec sync §5.1, RFC 9110 §10.2.3).
public enum RetryAfter {
    /// The longest wait that a server can ask for, seconds.
    public static let longestSec: Int64 = 21_600

    /// Seconds to wait, 1…21 600; `nil` when the server has no opinion: zero, negative, past or not to be read.
    /// - Parameters:
    ///   - date: the `Date` header of the same answer, which a date is measured from.
    ///   - trustedNow: what it is measured from otherwise.
    ///
    /// `120` → 120; `10000000000000000` → 21 600; `-5`, `0`, `soon` → `nil`.
    public static func seconds(_ text: String, date: String?, trustedNow: UTCTime?) -> Int64? {
        let trimmed = text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
        let value = String(trimmed)
        if !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) {
            // Capped as text: any number of digits comes in.
            let digits = value.drop { $0 == "0" }
            let number = digits.count > 5 ? longestSec : Int64(digits) ?? 0
            return number == 0 ? nil : min(number, longestSec)
        }
        guard let until = HTTPDate.parse(value), let from = date.flatMap({ HTTPDate.parse($0) }) ?? trustedNow else {
            return nil
        }
        let wait = (until.millis - from.millis + 999) / 1_000
        return wait <= 0 ? nil : min(wait, longestSec)
    }
}
