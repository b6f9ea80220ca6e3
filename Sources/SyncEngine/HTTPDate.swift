public import TrackerModel
import WireText

/// The dates of HTTP headers (RFC 9110 §5.6.7), all three forms that a recipient must take.
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
public enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `nil` for anything else, dates that do not exist included. A year of two digits is of 1970…2069.
    public static func parse(_ text: some StringProtocol) -> UTCTime? {
        let parts = text.split(whereSeparator: { (mark: Character) in mark == " " || mark == "-" || mark == "," })
        let words = parts.dropFirst().map { String($0) }
        let isAsctime = words.count == 4
        guard isAsctime || (words.count == 5 && words[4] == "GMT") else { return nil }
        let (dayText, monthText, yearText, clock) =
            isAsctime ? (words[1], words[0], words[3], words[2]) : (words[0], words[1], words[2], words[3])
        guard let month = months.firstIndex(of: monthText), let day = number(dayText, 1...31),
            var year = number(yearText, 0...9_999)
        else { return nil }
        if yearText.count == 2 { year += year < 70 ? 2_000 : 1_900 }
        let times = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard times.count == 3, let hour = number(times[0], 0...23), let minute = number(times[1], 0...59),
            let second = number(times[2], 0...60)
        else { return nil }
        let civil = CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        return civil.isRealDay ? civil.utc : nil
    }

    private static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
}

extension CivilTime {
    fileprivate var isRealDay: Bool { CivilTime(year: year, month: month, day: day).isRealDate }
}
