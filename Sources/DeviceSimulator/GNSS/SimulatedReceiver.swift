public import TrackerModel

/// A receiver at the end of a UART: bytes and their rate in, paced bytes out, in its own time. Pure: the same journey,
/// seed, faults and commands give the same bytes.
public struct SimulatedReceiver: Sendable {
    public struct Options: Sendable {
        public var family = SimulatedFamily.ublox8
        /// Factory rate of the UART; `nil`: that of the family.
        public var baud: Int?
        public var start = ReceiverStart.cold
        /// Of the position errors, the search times and the line faults.
        public var seed: UInt64 = 1
        public var faults = FaultScript()
        /// Its clock and its memory of the sky have a supply of their own (V_BCKP).
        public var hasBackupSupply = true
        /// UTC of receiver time zero; `nil`: the start of the journey.
        public var utc: UTCTime?

        public init() {}
    }

    enum Power: Equatable, Sendable {
        case on
        /// Ordered to sleep; ends at the instant, or with the next byte it hears.
        case asleep(until: Instant)
        /// Does not navigate, but goes on hearing and answering, unless its processor fell asleep over it (Airoha).
        case standby(hears: Bool)
        /// Without supply.
        case off
    }

    let options: Options
    let journey: Journey
    let factory: ReceiverConfiguration
    var memory = ConfigurationMemory()
    var configuration: ReceiverConfiguration
    /// Stored by PAIR864 and used from the next start on.
    var baudAfterStart: Int?
    /// PAIR382: its processor may not sleep.
    var isSleepLocked = false
    var line: PacedLine
    var framer = CommandFramer()
    var lineNoise: SplitMix
    var power = Power.on
    var search: FixSearch
    var errors: ErrorTrack
    var sky: SatelliteSky
    var clock: ReceiverClock
    /// Of the last solution with a fix.
    var lastPosition: Coordinate?
    /// False after CFG-RST stopped the receiver part.
    var isNavigating = true
    var nextEpoch = Instant.zero
    /// From the epoch to its first byte.
    var latencyMillis: Int64 = 60
    var epochIndex = 0
    /// Next fault of `options.faults` that has not begun.
    var nextFault = 0
    /// Switched by the person at the bench.
    public var isMuted = false
    var ignoresNextCommand = false
    /// The next RMC is to be cut short.
    var truncatesNext = false
    public internal(set) var now = Instant.zero
    var outbox: [LineChunk] = []
    /// Commands understood so far, noise and unknown ones not counted.
    public internal(set) var commandCount = 0
    /// How often it was sent to sleep.
    public internal(set) var sleeps = 0
    /// Neither asleep nor without supply.
    public var isAwake: Bool { power == .on }
    /// It sleeps as it was told to.
    public var isAsleep: Bool { power != .on && power != .off }
    /// It has its supply.
    public var isPowered: Bool { power != .off }
    /// Bytes that the line lost or changed, by the faults `lose` and `flip`.
    public internal(set) var damagedBytes = 0
    /// Sentences and UBX frames that went into the transmit buffer.
    public var sentFrames: Int { line.takenFrames }
    /// Messages that found no room in the transmit buffer.
    public var droppedMessages: Int { line.droppedMessages }
    /// The rate the receiver's UART runs at now.
    public var baud: Int { line.baud }

    /// Switches it on at receiver time zero.
    public init(_ journey: Journey, options: Options = Options()) {
        self.options = options
        self.journey = journey
        factory = .factory(options.family, baud: options.baud ?? options.family.defaultBaud)
        configuration = factory
        line = PacedLine(baud: factory.baud)
        lineNoise = SplitMix(seed: options.seed &+ 0xF00D)
        search = FixSearch(options.start, seed: options.seed, at: .zero)
        errors = ErrorTrack(seed: options.seed, sigmaM: journey.plan.positionSigmaM)
        sky = SatelliteSky(seed: options.seed, isGPSOnly: options.family.isGPSOnly)
        clock = ReceiverClock(start: options.utc ?? journey.start)
        if options.start != .cold { lastPosition = journey.trueState(at: 0).position }
        sayHello()
        scheduleEpoch(after: .zero)
    }

    /// Hears bytes that the other end sent at `baud`; time goes on to `at` first.
    public mutating func receive(_ bytes: [UInt8], baud: Int, at: Instant) {
        run(to: at)
        switch power {
        case .off: return
        case .asleep:
            // What wakes it is lost.
            if !faults.isActive(.neverWakes, at: now) { wake() }
            return
        case .standby(let hears): if !hears || faults.isActive(.neverWakes, at: now) { return }
        case .on: break
        }
        let heard = LineGarble.read(bytes, sentAt: baud, readAt: line.baud)
        for command in framer.take(heard) {
            if ignoresNextCommand {
                ignoresNextCommand = false
            } else {
                obey(command)
            }
        }
    }

    /// Lives on to `time` and gives the bytes that left its UART since the last call.
    public mutating func advance(to time: Instant) -> [LineChunk] {
        run(to: time)
        defer { outbox = [] }
        return outbox
    }

    /// When `advance` has something new to give or do, about `batch` bytes at a time.
    public func nextDuty(batch: Int) -> Instant { min(nextEvent, line.leaving(batch)) }

    /// Somebody opened the port (field report F-16: garbage, and a command that is not heard).
    public mutating func portOpened(at time: Instant) {
        run(to: time)
        guard let fault = options.faults.active(.garbageOnOpen, at: now) else { return }
        let noise = (0..<Int(fault.value)).map { _ in UInt8(truncatingIfNeeded: lineNoise.next()) }
        outbox.append(LineChunk(startedAt: now, baud: line.baud, bytes: noise))
        ignoresNextCommand = true
    }

    /// Switches the supply off or on; a switched-off receiver forgets what was not stored.
    public mutating func setPower(_ isOn: Bool, at time: Instant) {
        run(to: time)
        if isOn, power == .off {
            powerUp(start: options.hasBackupSupply ? nil : .cold)
        } else if !isOn, power != .off {
            powerDown()
        }
    }
}
