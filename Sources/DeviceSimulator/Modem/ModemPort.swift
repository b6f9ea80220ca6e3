import CLinux
import Glibc
import TrackerModel
import WireText

/// A simulated modem whose command port is a pseudo-terminal.
///
/// It has power from the start, or while the first byte of its power file is not `0`, like a power line. Whether the host
/// would have a route over it is told as an event, `route`: a pseudo-terminal carries no packets.
public final class ModemPort: BenchDevice {
    public struct Options: Sendable {
        /// Becomes a symbolic link to the device.
        public var link: String
        public var modem = SimulatedModem.Options()
        /// Seconds of the modem in one of ours; must be positive.
        public var speed = 1.0
        public var powerFile: String?

        public init(link: String) { self.link = link }
    }

    private static let baud = 115_200
    private static let lookMillis: Int64 = 50

    private var modem: SimulatedModem
    private let options: Options
    private let emit: EventSink
    private let terminal: PseudoTerminal
    private let clock: BenchClock
    /// Taken away by the board, whatever the power file says.
    public var hasSupply = true
    public var isPowered: Bool { modem.isPowered }
    private var hadRoute = false
    private var counts = (boots: 0, resets: 0, attachments: 0)
    private var isMuted = false
    public private(set) var isStopped = false

    /// Creates the device and its link, and emits `ready`.
    public init(_ options: Options, clock: BenchClock? = nil, emit: @escaping EventSink) throws(BenchFailure) {
        self.options = options
        self.clock = clock ?? BenchClock(speed: options.speed)
        self.emit = emit
        modem = SimulatedModem(options.modem)
        terminal = try PseudoTerminal(baud: Self.baud)
        try terminal.point(link: options.link)
        // Without a board it lives from now on.
        if clock == nil { self.clock.start() }
        emit(["event": "ready", "link": .string(options.link), "device": .string(terminal.device)])
    }

    deinit { if !isStopped { unlink(options.link) } }

    /// A signal of silence makes it deaf and dumb; one to unplug or plug in cuts or gives its power.
    public func receive(_ signal: BenchSignal) {
        switch signal {
        case .unplug: modem.setPower(false, at: clock.now)
        case .plug: modem.setPower(true, at: clock.now)
        case .toggleSilence: isMuted.toggle()
        case .stop:
            unlink(options.link)
            isStopped = true
        }
    }

    public func prepare(_ polls: inout PollSet) -> Int64 {
        followPowerFile()
        let said = modem.take(at: clock.now)
        if !isMuted, !said.isEmpty { _ = terminal.write(said[...]) }
        tell()
        // Without a reader the master is always "ready", with a hang-up.
        if terminal.hasReader { polls.add(terminal.master, POLLIN) }
        return min(Self.lookMillis * 1_000_000, clock.nanos(until: modem.nextOutput))
    }

    public func serve(_ polls: PollSet) {
        let heard = terminal.takeHeard()
        if !isMuted, !heard.isEmpty { modem.receive(heard, at: clock.now) }
    }

    private func followPowerFile() {
        guard hasSupply else { return modem.setPower(false, at: clock.now) }
        let isOn = options.powerFile.map { (try? BenchFile.read($0))?.first != UInt8(ascii: "0") } ?? true
        if options.powerFile != nil || modem.boots == 0 { modem.setPower(isOn, at: clock.now) }
    }

    private func tell() {
        if modem.hasRoute(at: clock.now) != hadRoute {
            hadRoute.toggle()
            emit(["event": "route", "up": .bool(hadRoute)])
        }
        let new = (modem.boots, modem.resets, modem.attachments)
        guard new != counts else { return }
        counts = new
        emit([
            "event": "life", "boots": .int(Int64(new.0)), "resets": .int(Int64(new.1)),
            "attachments": .int(Int64(new.2)),
        ])
    }
}
