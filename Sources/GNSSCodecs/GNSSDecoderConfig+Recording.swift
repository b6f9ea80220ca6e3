public import TrackerModel

extension GNSSDecoderConfig {
    /// Half the count of weeks, 512 weeks: a date is ambiguous by whole multiples of twice that.
    private static let halfRolloverMillis: Int64 = 512 * 7 * 86_400_000

    /// For a recording of about this day, which may be of another year: dates are moved by 1 024 weeks only if they are
    /// more than 512 weeks earlier.
    /// - Parameter isFirstDay: the recording begins on this day; an epoch ahead of the first date then has it.
    public mutating func trustRecording(of day: UTCTime, isFirstDay: Bool) {
        buildDate = day.advanced(byMillis: -Self.halfRolloverMillis)
        lastTrusted = nil
        firstDay = isFirstDay ? day : nil
    }
}
