import TrackerModel

/// What decides to which epoch a sentence belongs.
struct SentenceMark {
    var kind: NMEASentence.Kind
    /// The first two letters of its address; some receivers send one GGA for each constellation.
    var talker: UInt16
    var timeOfDay: Int?
    /// False when it says that there is no fix.
    var claimsFix = true
    /// When its first byte was read, and its last.
    var startedAt: Instant
    var at: Instant

    /// The time of day on a clock of 24 h: a leap second is the first of the next day, and no epoch beside it (E-012).
    var clock: Int? { timeOfDay.map { $0 % 86_400_000 } }

    /// The same with what the sentence itself says.
    func with(_ timeOfDay: Int?, claimsFix: Bool = true) -> SentenceMark {
        var mark = self
        (mark.timeOfDay, mark.claimsFix) = (timeOfDay, claimsFix)
        return mark
    }
}
