import TrackerModel

/// How often a fix is judged, and why (spec capture §12.1, power §2).
public struct Cadence: Equatable, Sendable {
    public enum Tier: String, Sendable {
        case normal
        case vehicular
        /// The corners of the line are judged, and otherwise a fix an interval.
        case geometry
        /// Guidance wants every fix.
        case navigation
        /// A turn is under way.
        case turnBurst
        /// No fixes are judged.
        case off
    }

    public var tier: Tier
    /// Milliseconds between judged fixes.
    public var intervalMillis: Int64

    public init(tier: Tier, intervalMillis: Int64) {
        self.tier = tier
        self.intervalMillis = intervalMillis
    }

    /// - Parameters:
    ///   - isTurning: a turn is under way.
    ///   - isFollowed: moving fast enough that the corners of the line are looked for.
    /// The cadence for a motion state, the configuration and what the battery allows.
    static func choose(
        _ config: CaptureConfig, isUnderWay: Bool, isTurning: Bool = false, isFollowed: Bool = false, power: PowerTier
    ) -> Cadence {
        if config.navigationMode, power == .normal {
            return Cadence(tier: .navigation, intervalMillis: config.navigationIntervalMillis)
        }
        if config.rule == .geometry, isFollowed, power == .normal {
            return Cadence(tier: .geometry, intervalMillis: config.intervalMillis)
        }
        // A turn is worth its points only while there is energy to spare (spec power §2).
        if isTurning, config.turnBurst, config.rule == .interval, power == .normal {
            return Cadence(tier: .turnBurst, intervalMillis: config.turnBurstIntervalMillis)
        }
        let tier: Tier = isUnderWay && config.adaptiveCadence ? .vehicular : .normal
        let configured = tier == .vehicular ? config.vehicularIntervalMillis : config.intervalMillis
        switch power {
        case .normal: return Cadence(tier: tier, intervalMillis: configured)
        case .saver: return Cadence(tier: tier, intervalMillis: configured * 2)
        case .critical:
            return Cadence(tier: tier, intervalMillis: max(configured, tier == .vehicular ? 60_000 : 300_000))
        case .survival: return Cadence(tier: tier, intervalMillis: 3_600_000)
        case .shutdown: return Cadence(tier: .off, intervalMillis: 3_600_000)
        }
    }
}

/// Lets one fix through per interval: of the last moments before it is due, the most accurate (spec capture §12.1).
struct CadenceGate {
    /// How far back the choice reaches at most, milliseconds.
    private static let windowMillis: Int64 = 5_000

    private var lastOffered: Instant?
    private var best: TrackFix?

    /// Takes a fix; returns the one to judge when the interval has passed.
    mutating func take(_ fix: TrackFix, cadence: Cadence) -> TrackFix? {
        if cadence.tier == .off { return nil }
        let due = lastOffered?.advanced(byMillis: cadence.intervalMillis) ?? fix.instant
        let opens = due.advanced(byMillis: -min(cadence.intervalMillis, Self.windowMillis))
        // After a silence what was held is old: the newest fix speaks, not the more accurate one before the silence.
        if let held = best, held.instant < opens || fix.instant.millis(since: held.instant) > Self.windowMillis {
            best = nil
        }
        if fix.instant >= opens, best.map({ fix.accuracyM <= $0.accuracyM }) ?? true { best = fix }
        guard fix.instant >= due else { return nil }
        let offered = best ?? fix
        // The schedule keeps its phase, unless a gap has swallowed a whole interval.
        lastOffered = fix.instant.millis(since: due) < cadence.intervalMillis ? due : fix.instant
        best = nil
        return offered
    }

    /// A fix was judged outside the schedule.
    mutating func offered(at instant: Instant) {
        lastOffered = instant
        best = nil
    }

    /// The next fix is due at once.
    mutating func expedite() {
        lastOffered = nil
        best = nil
    }
}
