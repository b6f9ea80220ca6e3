import TrackerModel

/// Tells from what a receiver sends whether it still is as it was set up.
struct ReceiverSetupWatch {
    /// Epochs without the marked message, which belongs to every epoch, before it is missed: 6 s at 1 Hz, within the 10 s
    /// of spec power §3.
    private static let missingEpochs = 6
    /// So many slow epochs in a row are a changed rate, not a hiccup.
    private static let slowEpochs = 10

    private var marker: ReceiverMark?
    private var hasMarker = false
    private var epochsWithoutMarker = 0
    private var nominalMillis: Int64 = 1_000
    private var hasKeptRate = false
    private var slow = 0

    /// Starts watching a receiver that was just set up.
    mutating func start(_ plan: ReceiverPlan?) {
        self = Self()
        marker = plan?.marker
        nominalMillis = 1_000 / Int64(max(1, plan?.rateHz ?? 1))
    }

    mutating func heard(_ mark: ReceiverMark) {
        guard mark == marker else { return }
        hasMarker = true
        epochsWithoutMarker = 0
    }

    /// - Parameter millis: since the epoch before.
    /// - Returns: what changed back, in words; `nil` while nothing did. What the receiver never did is not missed.
    mutating func epoch(afterMillis millis: Int64) -> String? {
        epochsWithoutMarker += 1
        // Half a period of jitter.
        let isSlow = millis * 2 > nominalMillis * 3
        hasKeptRate = hasKeptRate || !isSlow
        slow = isSlow ? slow + 1 : 0
        if hasMarker, epochsWithoutMarker > Self.missingEpochs { return "its messages changed back" }
        return hasKeptRate && nominalMillis < 1_000 && slow >= Self.slowEpochs ? "its rate changed back" : nil
    }
}
