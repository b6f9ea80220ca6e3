public import TrackerModel

/// ISO-8601 text of UTC times.
public enum TimeText {
    /// `2010-04-03T12:22:26.000Z`, always milliseconds and `Z`.
    public static func iso(_ time: UTCTime) -> String {
        let civil = CivilTime(time)
        var out: [UInt8] = []
        out.reserveCapacity(24)
        write(civil.year, 4, "-", to: &out)
        write(civil.month, 2, "-", to: &out)
        write(civil.day, 2, "T", to: &out)
        write(civil.hour, 2, ":", to: &out)
        write(civil.minute, 2, ":", to: &out)
        write(civil.second, 2, ".", to: &out)
        write(civil.millis, 3, "Z", to: &out)
        return String(decoding: out, as: UTF8.self)
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

    /// Appends a number with its mark behind it.
    private static func write(_ number: Int, _ width: Int, _ mark: Unicode.Scalar, to out: inout [UInt8]) {
        let digits = String(number)
        for _ in 0..<max(0, width - digits.utf8.count) { out.append(UInt8(ascii: "0")) }
        out += digits.utf8
        out.append(UInt8(ascii: mark))
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
