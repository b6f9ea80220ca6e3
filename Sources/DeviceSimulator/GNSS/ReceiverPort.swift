import CLinux
import Glibc
import WireText

/// A simulated receiver behind a pseudo-terminal: it hears commands at the rate the other side has set, and talks at its
/// own.
public final class ReceiverPort: BenchDevice {
    public struct Options: Sendable {
        /// Becomes a symbolic link to the device.
        public var link: String
        /// Seconds of the receiver in one of ours; must be positive.
        public var speed = 1.0
        /// A second device that hears all that the receiver says, and whose own words nobody hears: for a program beside
        /// the daemon that must get the same bytes. Its rate does not matter.
        public var mirror: String?
        /// Switch on this long after `ready` with or without a reader; `nil` waits for the first reader.
        public var startAfterSeconds: Double?
        /// A file whose first byte `0` cuts the supply of the receiver, like a power line; absent or else: on.
        public var powerFile: String?

        public init(link: String) { self.link = link }
    }

    public struct Counts: Equatable, Sendable {
        public var sentBytes = 0
        /// Due while nobody listened, or no room in the buffer.
        public var lostBytes = 0
        /// Of the receiver's bytes, sent while the reader's rate was another.
        public var garbledBytes = 0
        /// What the reader wrote to the receiver.
        public var heardBytes = 0
    }

    public internal(set) var receiver: SimulatedReceiver
    let options: Options
    let emit: EventSink
    public internal(set) var counts = Counts()
    public private(set) var isStopped = false
    var isFinished = false
    var terminal: PseudoTerminal?
    /// Made when the cable is pulled, so that the device comes back under another name (field report F-19).
    private var spare: PseudoTerminal?
    var isReaderPresent = false
    private var isUnpluggedByScript = false
    /// Starts when the receiver is switched on, unless the board did so before.
    let clock: BenchClock
    var plannedStart: Int64?
    var mirror: PseudoTerminal?
    /// Taken away by the board, whatever the power file says.
    public var hasSupply = true
    var announcedFaults = 0
    var announcedBaud: Int
    /// By the power file.
    var isSwitchedOn = true
    var isFed = true
    var powerLookAt: Int64 = 0

    /// A reader sets its speed and flushes right after opening; what came before that would be lost by chance.
    static let settleNanos: Int64 = 50_000_000
    /// How often a missing reader is looked for: there is no event for an opening.
    static let lookNanos: Int64 = 20_000_000
    /// Bytes are handed over this far apart, so that pacing costs some hundred wake-ups a second at most.
    static let batchSeconds = 0.008
    /// What a serial device has until somebody sets another rate.
    static let kernelBaud = 9_600
    static let powerLookNanos: Int64 = 100_000_000

    /// Creates the device and its link, and emits `ready`.
    public init(
        _ receiver: SimulatedReceiver, options: Options, clock: BenchClock? = nil, emit: @escaping EventSink
    ) throws(BenchFailure) {
        self.clock = clock ?? BenchClock(speed: options.speed)
        self.receiver = receiver
        self.options = options
        self.emit = emit
        announcedBaud = receiver.baud
        let terminal = try plugIn()
        if let link = options.mirror {
            let mirror = try PseudoTerminal(baud: Self.kernelBaud)
            try mirror.point(link: link)
            self.mirror = mirror
        }
        if let seconds = options.startAfterSeconds { plannedStart = Monotonic.nanos() + nanos(ofSeconds: seconds) }
        emit([
            "event": "ready", "link": .string(options.link), "device": .string(terminal.device),
            "family": .string(receiver.options.family.rawValue), "baud": .int(Int64(receiver.baud)),
            "durationMs": .int(Int64(receiver.journey.durationSeconds * 1_000)),
        ])
    }

    deinit {
        if terminal != nil { unlink(options.link) }
        if mirror != nil, let link = options.mirror { unlink(link) }
    }

    public func receive(_ signal: BenchSignal) {
        switch signal {
        case .unplug: unplug()
        case .plug: plug()
        case .toggleSilence:
            receiver.isMuted.toggle()
            emit(["event": "silence", "on": .bool(receiver.isMuted)])
        case .stop:
            tellCounts("stopped")
            pullOut()
            spare = nil
            if let link = options.mirror { unlink(link) }
            mirror = nil
            isStopped = true
        }
    }

    public func prepare(_ polls: inout PollSet) -> Int64 {
        lookForReader()
        startIfDue()
        live()
        if let terminal, isReaderPresent { polls.add(terminal.master, POLLIN) }
        return nanosToNextDuty()
    }

    public func serve(_ polls: PollSet) {
        if let terminal, polls.ready(terminal.master) & POLLIN != 0 { hear(terminal) }
    }

    /// Follows the cable as the script moves it.
    func followScript() {
        let isPulled = receiver.faults.isActive(.unplug, at: receiver.now)
        guard isPulled != isUnpluggedByScript else { return }
        isUnpluggedByScript = isPulled
        if isPulled { unplug() } else { plug() }
    }

    private func unplug() {
        guard terminal != nil else { return }
        spare = try? PseudoTerminal(baud: Self.kernelBaud)
        pullOut()
        emit(["event": "unplugged"])
    }

    private func plug() {
        guard terminal == nil else { return }
        do throws(BenchFailure) {
            let terminal = try plugIn()
            emit(["event": "plugged", "device": .string(terminal.device)])
        } catch {
            emit(["event": "failed", "cause": .string(error.cause), "remedy": .string(error.remedy)])
        }
    }

    private func plugIn() throws(BenchFailure) -> PseudoTerminal {
        let terminal = if let spare { spare } else { try PseudoTerminal(baud: Self.kernelBaud) }
        spare = nil
        try terminal.point(link: options.link)
        self.terminal = terminal
        return terminal
    }

    private func pullOut() {
        guard terminal != nil else { return }
        unlink(options.link)
        terminal = nil
        isReaderPresent = false
    }
}
