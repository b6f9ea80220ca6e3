public import TrackerModel

/// Energy by who used it, nanojoules (µW × ms): whole numbers, so that the same recording gives the same ledger on every
/// machine.
public struct EnergyUse: Equatable, Sendable {
    public var receiverNanojoules: Int64 = 0
    public var accelerometerNanojoules: Int64 = 0
    public var modemNanojoules: Int64 = 0
    /// What the host draws however little it does, apart from what the tracker makes it do.
    public var baseNanojoules: Int64 = 0
    public var workNanojoules: Int64 = 0
    /// Time that is accounted for, milliseconds.
    public var millis: Int64 = 0
    public var wakeUps: Int64 = 0
    public var cpuMillis: Int64 = 0

    public init() {}

    public var totalNanojoules: Int64 {
        receiverNanojoules + accelerometerNanojoules + modemNanojoules + baseNanojoules + workNanojoules
    }

    public static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.receiverNanojoules += b.receiverNanojoules
        sum.accelerometerNanojoules += b.accelerometerNanojoules
        sum.modemNanojoules += b.modemNanojoules
        sum.baseNanojoules += b.baseNanojoules
        sum.workNanojoules += b.workNanojoules
        sum.millis += b.millis
        sum.wakeUps += b.wakeUps
        sum.cpuMillis += b.cpuMillis
        return sum
    }
}

/// A day of the device's calendar.
public struct EnergyDay: Equatable, Sendable {
    /// `yyyy-MM-dd`; `nil` while nobody knows the date.
    public var date: String?
    public var use: EnergyUse

    public init(date: String?, use: EnergyUse) {
        self.date = date
        self.use = use
    }
}

/// Adds up what the parts draw in their states (spec power §7): an estimate that is always there, so that two settings
/// can be compared before a battery is worn out over them.
public struct EnergyLedger: Sendable {
    /// Past days that are kept.
    public static let pastDays = 7
    /// The present rate is that of the last hour, or two.
    private static let rateMillis: Int64 = 3_600_000

    private let model: EnergyModel
    private var settledAt: Instant
    public private(set) var receiver = ReceiverPowerState.off
    public private(set) var accelerometer = AccelerometerPowerState.off
    public private(set) var modem = ModemPowerState.off
    private var tailEnds: Instant?
    public private(set) var today: EnergyDay
    /// Newest first.
    public private(set) var past: [EnergyDay]
    /// Of this run; and at the last two turns of the hour, for the present rate.
    public private(set) var run = EnergyUse()
    private var marks: (older: EnergyUse, newer: EnergyUse) = (EnergyUse(), EnergyUse())

    /// - Parameter saved: what an earlier run left, today first.
    public init(_ model: EnergyModel, saved: [EnergyDay] = [], at now: Instant) {
        self.model = model
        settledAt = now
        today = saved.first ?? EnergyDay(date: nil, use: EnergyUse())
        past = Array(saved.dropFirst().prefix(Self.pastDays))
    }

    /// What to keep, today first.
    public var days: [EnergyDay] { [today] + past }

    public mutating func receiverIs(_ state: ReceiverPowerState, at now: Instant) {
        settle(at: now)
        receiver = state
    }

    public mutating func accelerometerIs(_ state: AccelerometerPowerState, at now: Instant) {
        settle(at: now)
        accelerometer = state
    }

    /// A tail becomes idle by itself.
    public mutating func modemIs(_ state: ModemPowerState, at now: Instant) {
        settle(at: now)
        modem = state
        tailEnds = state == .tail ? now.advanced(byMillis: ModemPowerState.tailMillis) : nil
    }

    /// What the process made the host do since it was told last.
    public mutating func worked(wakeUps: Int64, cpuMillis: Int64, at now: Instant) {
        settle(at: now)
        var use = EnergyUse()
        use.wakeUps = max(0, wakeUps)
        use.cpuMillis = max(0, cpuMillis)
        use.workNanojoules = use.wakeUps * model.hostWakeUpMicrojoules * 1_000 + use.cpuMillis * model.hostCPUMicrowatts
        add(use)
    }

    /// Counts up to `now`, and begins a new day when it is one.
    /// - Parameter date: of `now`; `nil` while nobody knows it: then it is counted to the day before.
    public mutating func settle(at now: Instant, date: String? = nil) {
        if let ends = tailEnds, now >= ends {
            count(until: ends)
            modem = .idle
            tailEnds = nil
        }
        count(until: now)
        guard let date, date != today.date else { return }
        if today.date != nil {
            past = Array(([today] + past).prefix(Self.pastDays))
            today = EnergyDay(date: date, use: EnergyUse())
        } else {
            today.date = date
        }
    }

    /// Microwatts: the mean of the last hour or two, less right after the start.
    public var presentMicrowatts: Int64? {
        let millis = run.millis - marks.older.millis
        return millis > 0 ? (run.totalNanojoules - marks.older.totalNanojoules) / millis : nil
    }

    /// Milliseconds alone, so that no rest of one is ever lost.
    private mutating func count(until instant: Instant) {
        let millis = instant.millis - settledAt.millis
        guard millis > 0 else { return }
        settledAt = instant
        var use = EnergyUse()
        use.millis = millis
        use.receiverNanojoules = model.microwatts(receiver) * millis
        use.accelerometerNanojoules = model.microwatts(accelerometer) * millis
        use.modemNanojoules = model.microwatts(modem) * millis
        use.baseNanojoules = model.hostBaseMicrowatts * millis
        add(use)
        if run.millis - marks.newer.millis >= Self.rateMillis { marks = (marks.newer, run) }
    }

    private mutating func add(_ use: EnergyUse) {
        today.use = today.use + use
        run = run + use
    }
}
