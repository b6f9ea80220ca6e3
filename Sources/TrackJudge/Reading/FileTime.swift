import TrackerModel
import WireText

/// Times as track files write them.
enum FileTime {
    /// Years 1 to 9999: what a date can be written with.
    private static let range = CivilTime(year: 1, month: 1, day: 1).utc...CivilTime(year: 10_000, month: 1, day: 1).utc
    /// A number of at least this is milliseconds: as seconds it would be after the year 5138, and milliseconds below it
    /// are before March 1973.
    private static let leastMillis = 1e11

    /// What a plain number counts.
    enum Unit {
        case seconds, millis
        /// Told by its size.
        case either
    }

    static func time(_ number: Double, unit: Unit = .seconds) -> UTCTime? {
        let isMillis = unit == .millis || (unit == .either && abs(number) >= leastMillis)
        let millis = (isMillis ? number : number * 1_000).rounded()
        guard millis.isFinite, abs(millis) < 1e15 else { return nil }
        let time = UTCTime(millis: Int64(millis))
        return range.contains(time) ? time : nil
    }

    /// `2026-05-04T07:00:01Z`, also with a space for the T, without seconds, with a fraction of any length and with an
    /// offset in place of the Z; without either it is UTC. The fraction is cut to milliseconds.
    static func iso(_ text: String) -> UTCTime? {
        guard text.utf8.count <= 64, text.utf8.count >= 16, let day = TimeText.parse(text.prefix(10)) else {
            return nil
        }
        var rest = text.utf8.dropFirst(10)
        guard take(&rest, "T", "t", " ") != nil, let hour = digits(&rest, 2), hour < 24, take(&rest, ":") != nil,
            let minute = digits(&rest, 2), minute < 60
        else { return nil }
        var millis = Int64(hour * 60 + minute) * 60_000
        if take(&rest, ":") != nil {
            // 60 is a leap second: the next minute.
            guard let second = digits(&rest, 2), second <= 60 else { return nil }
            millis += Int64(second) * 1_000
            if take(&rest, ".", ",") != nil {
                guard let fraction = fraction(&rest) else { return nil }
                millis += fraction
            }
        }
        guard let offset = offsetMillis(&rest), rest.isEmpty else { return nil }
        let time = day.advanced(byMillis: millis - offset)
        return range.contains(time) ? time : nil
    }

    private static func take(_ rest: inout Substring.UTF8View.SubSequence, _ marks: Unicode.Scalar...) -> UInt8? {
        guard let first = rest.first, marks.contains(where: { UInt8(ascii: $0) == first }) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    private static func digits(_ rest: inout Substring.UTF8View.SubSequence, _ count: Int) -> Int? {
        let taken = rest.prefix(count)
        guard taken.count == count, taken.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return taken.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func fraction(_ rest: inout Substring.UTF8View.SubSequence) -> Int64? {
        let taken = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(taken.count)
        guard !taken.isEmpty else { return nil }
        let three = Array(taken.prefix(3)) + [UInt8](repeating: 0x30, count: max(0, 3 - taken.count))
        return three.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func offsetMillis(_ rest: inout Substring.UTF8View.SubSequence) -> Int64? {
        if rest.isEmpty || take(&rest, "Z", "z") != nil { return 0 }
        guard let sign = take(&rest, "+", "-"), let hours = digits(&rest, 2), hours <= 14 else { return nil }
        let minutes = take(&rest, ":") != nil || !rest.isEmpty ? digits(&rest, 2) : 0
        guard let minutes, minutes < 60 else { return nil }
        return Int64(hours * 60 + minutes) * 60_000 * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}
