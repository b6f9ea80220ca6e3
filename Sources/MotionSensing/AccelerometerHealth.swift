/// What an accelerometer turned out to be worth, from its reads (spec api §9).
public struct AccelerometerHealth: Sendable {
    /// `full` asks for at least this rate, at most this noise and this share of lost time.
    private static let fullRateHz = 25.0
    private static let fullNoiseG = 0.015
    private static let fullGapShare = 0.01
    /// Old time counts half after each such stretch.
    private static let memoryNanos: Int64 = 3_600_000_000_000
    /// Before so much was watched, nothing is said of noise and gaps.
    private static let settlingNanos: Int64 = 60_000_000_000

    /// Samples a second while moving, as they came; `nil` before the first such read.
    public private(set) var effectiveRateHz: Double?
    /// The quietest second so far, RMS in g: what the sensor itself adds, once the board has rested. `nil` before.
    public private(set) var noiseG: Double?
    private var watchedNanos: Int64 = 0
    private var lostNanos: Int64 = 0

    public init() {}

    /// Share of the time that was lost, 0…1.
    public var gapShare: Double { watchedNanos == 0 ? 0 : Double(lostNanos) / Double(watchedNanos) }

    /// A read of `count` samples that were taken in `nanos`.
    public mutating func sampled(_ count: Int, inNanos nanos: Int64, isMovingRate: Bool) {
        watch(nanos)
        guard isMovingRate, nanos > 0, count > 0 else { return }
        let rate = Double(count) * 1e9 / Double(nanos)
        effectiveRateHz = effectiveRateHz.map { $0 + (rate - $0) * 0.1 } ?? rate
    }

    /// Time of which there are no samples.
    public mutating func lost(nanos: Int64) {
        // Before it is watched: both halve together, so that no more is ever lost than was watched.
        lostNanos += max(0, nanos)
        watch(nanos)
    }

    public mutating func heard(rmsG: Double) { noiseG = min(noiseG ?? rmsG, rmsG) }

    private mutating func watch(_ nanos: Int64) {
        watchedNanos += max(0, nanos)
        guard watchedNanos > Self.memoryNanos else { return }
        watchedNanos /= 2
        lostNanos /= 2
    }

    /// What a chip that works falls short of `full` in, in words; empty: nothing.
    /// - Parameter nominalRateHz: while moving, for as long as nothing was measured.
    public func shortcomings(nominalRateHz: Double) -> [String] {
        var found: [String] = []
        if effectiveRateHz ?? nominalRateHz < Self.fullRateHz * 0.95 { found.append("25 samples a second") }
        if watchedNanos >= Self.settlingNanos {
            if let noiseG, noiseG >= Self.fullNoiseG { found.append("noise below 0.015 g") }
            if gapShare >= Self.fullGapShare { found.append("samples without gaps (1 % of the time is allowed)") }
        }
        return found
    }
}
