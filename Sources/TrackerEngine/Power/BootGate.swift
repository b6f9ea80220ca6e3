import TrackerModel

/// Keeps receiver and modem off after a start that the supply may not carry (spec power §2): a boot or a radio burst on
/// a flat battery sags the rail, resets the board and starts over (F-65).
struct BootGate {
    enum Cause: Equatable {
        case battery(percent: Int)
        case underVoltage
        case uncleanBoots(Int)
    }

    private static let loopBoots = 3
    private static let loopHoldMillis: Int64 = 600_000
    /// One at a time, the receiver first.
    private static let apartMillis: Int64 = 30_000
    /// The readings of a gauge that has just got its supply (0, 0.25, 1 and 3 s) still count as the start; the last
    /// of them comes a little late.
    private static let startMillis: Int64 = 3_500

    private let survivalPercent: Int
    private var startedAt = Instant.zero
    private var loop: (boots: Int, until: Instant)?
    private var supply: Cause?
    private(set) var holdsReceiver = false
    private(set) var holdsModem = false
    /// When the modem follows.
    private var modemAt: Instant?

    init(_ config: PowerConfig) { survivalPercent = config.survivalBelowPercent }

    /// Why something is held; `nil` when nothing is, or the modem only waits for its turn.
    var cause: Cause? { supply ?? loop.map { .uncleanBoots($0.boots) } }
    var deadline: Instant { min(loop?.until ?? .never, modemAt ?? .never) }

    mutating func started(uncleanBoots: Int, at now: Instant) {
        startedAt = now
        if uncleanBoots >= Self.loopBoots {
            loop = (uncleanBoots, now.advanced(byMillis: Self.loopHoldMillis))
        }
        settle(now)
    }

    mutating func take(_ reading: BatteryReading, at now: Instant) {
        let isCharging = reading.isFed
        if supply == nil, now.millis(since: startedAt) <= Self.startMillis, !isCharging {
            if let percent = reading.percent, percent <= survivalPercent {
                supply = .battery(percent: percent)
            } else if reading.isUnderVoltage {
                supply = .underVoltage
            }
        } else if supply != nil {
            let recovers = reading.percent.map { $0 >= survivalPercent + PowerTierMachine.hysteresisPercent } ?? true
            if isCharging || recovers && !reading.isUnderVoltage { supply = nil }
        }
        settle(now)
    }

    mutating func timerFired(_ now: Instant) { settle(now) }

    private mutating func settle(_ now: Instant) {
        if let held = loop, now >= held.until { loop = nil }
        if cause != nil {
            holdsReceiver = true
            holdsModem = true
            modemAt = nil
        } else if holdsReceiver {
            holdsReceiver = false
            modemAt = now.advanced(byMillis: Self.apartMillis)
        } else if let at = modemAt, now >= at {
            holdsModem = false
            modemAt = nil
        }
    }
}
