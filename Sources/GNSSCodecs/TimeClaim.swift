/// What one epoch says about its time, before anybody believes it; made by the NMEA and the UBX side alike, judged by
/// one timekeeper.
struct TimeClaim {
    /// Milliseconds of the day, 0…86 400 999 (a leap second is the 86 400th); `nil` when not known.
    var timeOfDay: Int?
    var date: DateField
    /// The receiver vouches for date and time (RMC status A; UBX validDate and validTime).
    var isVouched: Bool
    /// The receiver knows the leap seconds (UBX fullyResolved, or NMEA where nothing is said): until then its UTC may be
    /// off by whole seconds.
    var isFullyResolved: Bool
}
