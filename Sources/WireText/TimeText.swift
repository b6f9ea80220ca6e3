public import TrackerModel

/// ISO-8601 text of UTC times.
public enum TimeText {
    /// `2010-04-03T12:22:26.000Z`, always milliseconds and `Z`.
    public static func iso(_ time: UTCTime) -> String {
        let civil = CivilTime(time)
        return date(civil) + "T" + padded(civil.hour, 2) + ":" + padded(civil.minute, 2) + ":" + padded(civil.second, 2)
            + "." + padded(civil.millis, 3) + "Z"
    }

    /// `2010-04-03`.
    public static func date(_ civil: CivilTime) -> String {
        padded(civil.year, 4) + "-" + padded(civil.month, 2) + "-" + padded(civil.day, 2)
    }

    /// Reads `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss[.fff]Z`; `nil` for anything else, dates that do not exist included.
    public static func parse(_ text: some StringProtocol) -> UTCTime? {
        let bytes = Array(text.utf8)
        func number(_ from: Int, _ count: Int) -> Int? {
            guard from + count <= bytes.count else { return nil }
            return bytes[from..<from + count].reduce(0) { value, byte in
                value.flatMap { (48...57).contains(byte) ? $0 * 10 + Int(byte - 48) : nil }
            }
        }
        func mark(_ index: Int, _ character: Unicode.Scalar) -> Bool {
            index < bytes.count && bytes[index] == UInt8(ascii: character)
        }
        guard let year = number(0, 4), mark(4, "-"), let month = number(5, 2), mark(7, "-"), let day = number(8, 2)
        else { return nil }
        var civil = CivilTime(year: year, month: month, day: day)
        guard civil.isRealDate else { return nil }
        if bytes.count == 10 { return civil.utc }
        guard mark(10, "T"), let hour = number(11, 2), mark(13, ":"), let minute = number(14, 2), mark(16, ":"),
            let second = number(17, 2), hour < 24, minute < 60, second < 61
        else { return nil }
        (civil.hour, civil.minute, civil.second) = (hour, minute, second)
        if mark(19, "Z"), bytes.count == 20 { return civil.utc }
        guard mark(19, "."), let millis = number(20, 3), mark(23, "Z"), bytes.count == 24 else { return nil }
        civil.millis = millis
        return civil.utc
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
