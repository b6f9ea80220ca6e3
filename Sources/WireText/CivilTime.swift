public import TrackerModel

/// A date and time of day of the proleptic Gregorian calendar, in UTC.
public struct CivilTime: Equatable, Sendable {
    public var year: Int
    /// 1…12.
    public var month: Int
    /// 1…31.
    public var day: Int
    public var hour: Int
    public var minute: Int
    /// 0…59; a leap second has no place here and is folded into the next second by who reads it.
    public var second: Int
    public var millis: Int

    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millis: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millis = millis
    }

    public init(_ time: UTCTime) {
        let (days, inDay) = time.millis.quotientAndRemainderFlooring(dividingBy: 86_400_000)
        self = CivilTime(dayNumber: days)
        hour = Int(inDay / 3_600_000)
        minute = Int(inDay / 60_000 % 60)
        second = Int(inDay / 1_000 % 60)
        millis = Int(inDay % 1_000)
    }

    /// Milliseconds since 1970 of this date and time; fields are taken as they are, so second 60 is the next minute.
    public var utc: UTCTime {
        let time = (Int64(hour) * 60 + Int64(minute)) * 60 + Int64(second)
        return UTCTime(millis: (dayNumber * 86_400 + time) * 1_000 + Int64(millis))
    }

    /// Days since 1970-01-01. Counts in 400-year eras of 146 097 days with March as the first month, so that the leap
    /// day is the last of its year.
    public var dayNumber: Int64 {
        let shifted = Int64(month <= 2 ? year - 1 : year)
        let (era, yearOfEra) = shifted.quotientAndRemainderFlooring(dividingBy: 400)
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private init(dayNumber: Int64) {
        let (era, dayOfEra) = (dayNumber + 719_468).quotientAndRemainderFlooring(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        self.init(
            year: Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month: month,
            day: Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1))
    }

    /// True for a date that exists.
    public var isRealDate: Bool {
        guard (1...12).contains(month), day >= 1, day <= 31 else { return false }
        return CivilTime(dayNumber: dayNumber) == CivilTime(year: year, month: month, day: day)
    }
}

extension Int64 {
    /// Division towards minus infinity: the remainder is never negative.
    func quotientAndRemainderFlooring(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
