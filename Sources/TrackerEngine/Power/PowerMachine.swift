public import TrackerModel

/// The operator's word against the battery's; it always ends (spec power §2).
public struct PowerOverride: Equatable, Sendable {
    public var tier: PowerTier
    public var until: Instant

    public init(tier: PowerTier, until: Instant) {
        self.tier = tier
        self.until = until
    }
}

public enum PowerEvent: Equatable, Sendable {
    /// First of all: how many boots of the last minutes ended uncleanly (`BootRecord`).
    case started(uncleanBoots: Int)
    /// What the sources of the battery say, in the order of their rank, and the board's sense of its supply.
    case batteryRead([BatteryReading], isUnderVoltage: Bool?)
    /// `nil`: the battery decides again.
    case overridden(PowerOverride?)
    case timerFired
}

public enum PowerAction: Equatable, Sendable {
    case tierChanged(PowerTier)
    /// The tier moved between `normal` and anything lower.
    case powerSaveChanged(Bool)
    case batteryChanged(BatteryInfo)
    /// The board's supply sags, and did not before.
    case underVoltage
    /// What the boot gate holds, or why, is another.
    case gateChanged
    /// The battery is at its end: save everything and switch the host off.
    case exhausted
    /// It charges, or was no longer believed: stay on.
    case recovered
    /// An override has run out.
    case overrideEnded
    /// Call back with `.timerFired` at this time; replaces the earlier wish.
    case wake(at: Instant)
}

/// What the battery allows: tiers, boot gate, the end (spec power §1, §2).
public struct PowerMachine {
    private let config: PowerConfig
    private var battery = BatteryMachine()
    private var tiers: PowerTierMachine
    private var gate: BootGate
    public private(set) var override: PowerOverride?

    public init(_ config: PowerConfig) {
        self.config = config
        tiers = PowerTierMachine(config)
        gate = BootGate(config)
    }

    /// The tier in force.
    public var tier: PowerTier { override?.tier ?? tiers.tier }
    public var reading: BatteryReading { battery.reading }
    /// What `.batteryChanged` tells of.
    private var info: BatteryInfo { BatteryInfo(reading, lowPercent: config.lowPercent) }
    /// The receiver is not to be opened or powered.
    public var holdsReceiver: Bool { receiverHoldReason != nil }
    /// Nothing is to be sent, and a modem not to be powered.
    public var holdsModem: Bool { gate.holdsModem }

    /// Why something is held and what ends it; `nil` while nothing is.
    public var gateReason: String? {
        switch gate.cause {
        case .battery(let percent):
            "battery at \(percent) %; receiver and modem stay off until it is at "
                + "\(config.survivalBelowPercent + PowerTierMachine.hysteresisPercent) % or charges"
        case .underVoltage: "under-voltage; receiver and modem stay off until the supply holds or charges"
        case .uncleanBoots(let count): "\(count) boots were cut short; receiver and modem stay off for 10 min"
        case nil: gate.holdsModem ? "the modem follows 30 s after the receiver" : nil
        }
    }

    /// Why the receiver is held and what ends it; `nil` while it is not.
    public var receiverHoldReason: String? {
        if gate.holdsReceiver { return gateReason }
        return tier == .shutdown
            ? "power tier shutdown; the receiver stays off until the battery charges or another tier is set" : nil
    }

    /// What `.gateChanged` tells of.
    private var held: (reason: String?, isShutDown: Bool) { (gateReason, tier == .shutdown) }

    /// The measured tier, not the operator's word, ends a tracker's day; a charger at once saves it.
    private var isExhausted: Bool { tiers.tier == .shutdown && !reading.isFed }

    public mutating func handle(_ event: PowerEvent, at now: Instant, into actions: inout [PowerAction]) {
        let before = (info: info, tier: tier, exhausted: isExhausted, sags: reading.isUnderVoltage, held: held)
        switch event {
        case .started(let uncleanBoots): gate.started(uncleanBoots: uncleanBoots, at: now)
        case .batteryRead(let sources, let isUnderVoltage):
            battery.take(sources, isUnderVoltage: isUnderVoltage, at: now)
            tiers.take(reading, at: now)
            gate.take(reading, at: now)
        case .overridden(let wish): override = wish
        case .timerFired: gate.timerFired(now)
        }
        if let ending = override, now >= ending.until {
            override = nil
            actions.append(.overrideEnded)
        }
        if info != before.info { actions.append(.batteryChanged(info)) }
        if reading.isUnderVoltage, !before.sags { actions.append(.underVoltage) }
        if tier != before.tier {
            actions.append(.tierChanged(tier))
            if (tier == .normal) != (before.tier == .normal) { actions.append(.powerSaveChanged(tier != .normal)) }
        }
        if held != before.held { actions.append(.gateChanged) }
        if isExhausted != before.exhausted { actions.append(isExhausted ? .exhausted : .recovered) }
        let next = min(override?.until ?? .never, gate.deadline)
        if next < .never { actions.append(.wake(at: next)) }
    }
}
