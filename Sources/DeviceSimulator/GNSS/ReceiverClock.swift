import TrackerModel
import WireText

/// What time it is, as the receiver would show it without a fault and with the faults of its clock.
struct ReceiverClock: Sendable {
    struct Reading: Equatable, Sendable {
        var utc: UTCTime
        var isLeapSecond: Bool
        var gpsWeek: Int
        var weekMillis: Int
    }

    /// UTC at receiver time zero.
    let start: UTCTime
    /// Steps that were forced on the clock.
    private(set) var stepMillis: Int64 = 0
    /// The midnight before which a second is inserted.
    private var leapMidnight: UTCTime?

    init(start: UTCTime) { self.start = start }

    /// GPS is ahead of UTC by this since 2017 (IERS Bulletin C 52); its time starts on 1980-01-06.
    private static let leapMillis: Int64 = 18_000
    private static let gpsStart = CivilTime(year: 1980, month: 1, day: 6).utc
    private static let weekMillis: Int64 = 604_800_000

    mutating func step(byMillis millis: Int64) { stepMillis += millis }

    /// The next midnight ends a day that is a second longer.
    mutating func insertLeapSecond(at now: Instant) {
        let day: Int64 = 86_400_000
        let millis = start.millis + now.millis + stepMillis
        leapMidnight = UTCTime(millis: (millis / day + 1) * day)
    }

    func reading(at now: Instant) -> Reading {
        let raw = start.advanced(byMillis: now.millis + stepMillis)
        var utc = raw
        var isLeap = false
        if let midnight = leapMidnight, raw >= midnight {
            utc = raw.advanced(byMillis: -1_000)
            isLeap = utc < midnight
        }
        return Reading(
            utc: utc, isLeapSecond: isLeap, gpsWeek: Self.week(raw), weekMillis: Self.inWeek(raw))
    }

    private static func gpsMillis(_ raw: UTCTime) -> Int64 { max(0, raw.millis + leapMillis - gpsStart.millis) }
    private static func week(_ raw: UTCTime) -> Int { Int(gpsMillis(raw) / weekMillis) }
    private static func inWeek(_ raw: UTCTime) -> Int { Int(gpsMillis(raw) % weekMillis) }
}
