public import TrackerModel

/// Names what the carrier of the device does (spec capture §13.5), from windows of 4 s every 2 s and the Doppler speed.
///
/// `onFoot` is never given: the table of the specification has no rule for it.
public struct ActivityClassifier: Sendable {
    private static let hopNanos: Int64 = 2_000_000_000
    /// How many windows without a finding do not yet end a movement: one odd moment is no change of activity.
    private static let patience = 2

    private var since: Instant?
    private var last = Instant.zero
    private var hop = MotionHop()
    private var hopStart = Instant.zero
    private var earlierHop: MotionHop?
    private var earlierHopStart = Instant.zero
    /// The middle that the tones swing about: the mean of the hop before.
    private var centreG = 1.0
    private var tones = ToneBank()
    private var attitude = AttitudeWatch()
    private var speed = SpeedEvidence()
    private var doubts = 0
    /// Start of the unbroken run of windows that show pedalling.
    private var pedalledSince: Instant?
    /// The label that holds; `nil` before the first full window and after a gap.
    public private(set) var label: ActivityLabel?

    public init() {}

    /// Takes a Doppler speed in m/s with its 1 σ; without one, or above 1 m/s, it says nothing.
    /// - Returns: the label when the speed contradicts a stillness that was more than a guess; that does not wait for
    ///   the next window.
    public mutating func speedMeasured(_ mps: Double, accuracyMps: Double?, at instant: Instant) -> ActivityLabel? {
        speed.take(mps, accuracyMps: accuracyMps, at: instant)
        guard let held = label, held.activity == .still, held.confidence > ActivityFinding.low,
            !ActivityFinding.mayStand(atMps: speed.mps(at: instant))
        else { return nil }
        label = ActivityLabel(activity: .still, confidence: ActivityFinding.low, since: held.since)
        return label
    }

    /// Takes one sample, in time order, with the cadence that the step detector has after it: `nil` while no run of
    /// steps is on or steps are not counted.
    ///
    /// A gap of more than 0.25 s, or a value that no sensor can have measured, forgets everything but the speed.
    /// - Returns: the label when it or its confidence changed; once in 2 s at most.
    public mutating func handle(_ sample: MotionSample, cadencePerMinute: Double?) -> ActivityLabel? {
        guard let magnitude = sample.magnitudeG else {
            clear()
            return nil
        }
        guard since != nil else {
            begin(sample)
            return nil
        }
        let spacing = sample.instant.nanos(since: last)
        guard spacing <= MotionSample.gapNanos, spacing >= -MotionSample.gapNanos else {
            clear()
            begin(sample)
            return nil
        }
        guard spacing > 0 else { return nil }
        last = sample.instant
        hop.take(magnitude, seconds: Double(spacing) / 1e9, cadencePerMinute: cadencePerMinute)
        tones.take(magnitude - centreG, after: spacing)
        if attitude.take(sample, after: spacing) { hop.isTilted = true }
        guard sample.instant.nanos(since: hopStart) >= Self.hopNanos else { return nil }
        return closeHop(at: sample.instant)
    }

    /// Forgets everything but the speed: after a fault or an overrun.
    public mutating func clear() {
        since = nil
        label = nil
        earlierHop = nil
        hop = MotionHop()
        _ = tones.finish()
        centreG = 1
        doubts = 0
        pedalledSince = nil
    }

    private mutating func begin(_ sample: MotionSample) {
        since = sample.instant
        last = sample.instant
        hopStart = sample.instant
        attitude.begin(sample)
    }

    private mutating func closeHop(at now: Instant) -> ActivityLabel? {
        hop.powers = tones.finish()
        centreG = hop.meanG
        let (newer, newerStart) = (hop, hopStart)
        let (older, olderStart) = (earlierHop, earlierHopStart)
        earlierHop = newer
        earlierHopStart = newerStart
        hop = MotionHop()
        hopStart = now
        guard let older else { return nil }
        return judge(MotionWindow(older, newer), from: olderStart, at: now)
    }

    private mutating func judge(_ window: MotionWindow, from start: Instant, at now: Instant) -> ActivityLabel? {
        pedalledSince = window.isPedalled(atMps: speed.mps(at: now)) ? pedalledSince ?? start : nil
        let found = ActivityFinding(
            window, speed, at: now, pedalledNanos: pedalledSince.map { now.nanos(since: $0) } ?? 0,
            before: label?.activity)
        if found.activity == .onBicycle, pedalledSince != nil { speed.contradictVehicle(at: now) }
        if found.activity == .unknown, label?.activity.isMovement == true, doubts < Self.patience {
            doubts += 1
            return nil
        }
        doubts = 0
        let begun = label.flatMap { $0.activity == found.activity ? $0.since : nil } ?? start
        let next = ActivityLabel(
            activity: found.activity, confidence: found.confidence(after: now.nanos(since: begun)), since: begun)
        guard next != label else { return nil }
        label = next
        return next
    }
}
