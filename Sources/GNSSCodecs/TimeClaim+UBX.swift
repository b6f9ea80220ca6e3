import TrackerModel
import WireText

/// What the time messages of u-blox receivers claim.
extension TimeClaim {
    private static let dayMillis = 86_400_000
    /// Of GPS time: 1980-01-06, in days since 1970.
    private static let gpsEpochDay: Int64 = 3_657

    init(_ pvt: UBXMessage.PVT) {
        self.init(pvt.clock, isVouched: pvt.valid & 3 == 3, isFullyResolved: pvt.valid & 4 != 0)
    }

    init(_ message: UBXMessage.TIMEUTC) {
        self.init(message.clock, isVouched: message.valid & 3 == 3, isFullyResolved: message.valid & 4 != 0)
    }

    /// GPS time less the leap seconds.
    init(_ message: UBXMessage.TIMEGPS) {
        let weekMillis = 7 * Int64(Self.dayMillis)
        let fraction = Int64((Double(message.fTOW) / 1e6).rounded())
        let sinceEpoch =
            Int64(message.week) * weekMillis + Int64(message.iTOW) + fraction - Int64(message.leapSeconds) * 1_000
        let civil = CivilTime(UTCTime(millis: Self.gpsEpochDay * Int64(Self.dayMillis) + sinceEpoch))
        self.init(
            timeOfDay: ((civil.hour * 60 + civil.minute) * 60 + civil.second) * 1_000 + civil.millis,
            date: DateField(year: civil.year, month: civil.month, day: civil.day), isVouched: message.valid & 3 == 3,
            isFullyResolved: message.valid & 4 != 0)
    }

    /// To the nearest millisecond, which may be one of the day before or after.
    private init(_ clock: UBXClock, isVouched: Bool, isFullyResolved: Bool) {
        var date = DateField(year: Int(clock.year), month: Int(clock.month), day: Int(clock.day))
        var timeOfDay: Int?
        if clock.hour <= 23, clock.minute <= 59, clock.second <= 60 {
            let seconds = (Int(clock.hour) * 60 + Int(clock.minute)) * 60 + Int(clock.second)
            var millis = seconds * 1_000 + Int((Double(clock.nano) / 1e6).rounded())
            let shift = millis < 0 ? -1 : millis >= Self.dayMillis && clock.second < 60 ? 1 : 0
            millis -= shift * Self.dayMillis
            if shift != 0, case .day(let number) = date { date = .day(number + Int64(shift)) }
            timeOfDay = millis
        }
        self.init(timeOfDay: timeOfDay, date: date, isVouched: isVouched, isFullyResolved: isFullyResolved)
    }
}
