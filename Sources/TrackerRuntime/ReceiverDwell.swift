import TrackerModel

/// Listening at one speed that may be the right one.
struct ReceiverDwell {
    /// Long enough for the next epoch of a 1 Hz receiver (spec capture §2.2).
    static let noisyMillis: Int64 = 1_100
    /// Silence says nothing against a speed: a 1 Hz epoch that is 300 ms early, then one 300 ms late (F-14).
    static let quietMillis: Int64 = 1_700
    /// A pause this long separates the bytes of two epochs.
    private static let pauseMillis: Int64 = 200
    /// Two longest sentences at 4 800 bit/s: what a burst of bytes needs to prove itself, ms.
    private static let burstMillis: Int64 = 500

    /// Place in the order of the sweep.
    let index: Int
    let since: Instant
    private(set) var frames = 0
    private(set) var lastFrameAt: Instant
    private var lastByteAt: Instant?
    private var burstAt: Instant?

    init(index: Int, since: Instant) {
        self.index = index
        self.since = since
        lastFrameAt = since
    }

    mutating func note(frames count: Int, at now: Instant) {
        if lastByteAt.map({ now.millis(since: $0) > Self.pauseMillis }) ?? true { burstAt = now }
        lastByteAt = now
        guard count > 0 else { return }
        frames += count
        lastFrameAt = now
    }

    /// When this speed may be left.
    /// - Parameter widening: doublings of the dwell.
    func end(widening: Int, periodMillis: Int64) -> Instant {
        // One valid frame is proof enough to wait for the next (F-14).
        if frames > 0 { return lastFrameAt.advanced(byMillis: ReceiverFinder.missedPeriods * periodMillis) }
        guard let burstAt else { return since.advanced(byMillis: Self.quietMillis << Int64(widening)) }
        let least = since.advanced(byMillis: Self.noisyMillis << Int64(widening))
        // The burst under way may end; those after it may not hold a receiver of 2 to 4 Hz at a wrong speed.
        return min(max(least, burstAt.advanced(byMillis: Self.burstMillis)), least.advanced(byMillis: Self.burstMillis))
    }
}
