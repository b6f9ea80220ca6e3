import CLinux
import Glibc
import WireText

/// Plays a recording through a pseudo-terminal the way a receiver does through a UART: every epoch at its time, and what
/// nobody reads is lost.
public final class UARTPlayer: BenchDevice {
    public enum Speed: Equatable, Sendable {
        /// 1 is real time; must be positive.
        case times(Double)
        /// As fast as the reader takes it; nothing is lost then.
        case max
    }

    public struct Options: Sendable {
        /// Becomes a symbolic link to the device.
        public var link: String
        public var speed = Speed.times(1)
        public var loops = false
        /// Start this long after `ready` with or without a reader; `nil` waits for the first reader.
        public var startAfterSeconds: Double?
        /// The receiver's own rate: a reader with another one gets framing garbage. `nil` matches any.
        public var baud: Int?

        public init(link: String) { self.link = link }
    }

    public struct Counts: Equatable, Sendable {
        public var sentBytes = 0
        /// Due while nobody listened, or no room in the buffer.
        public var lostBytes = 0
        /// Sent as garbage because the reader's rate was another.
        public var garbledBytes = 0
        /// What the reader wrote to the receiver.
        public var heardBytes = 0
    }

    let schedule: UARTSchedule
    let options: Options
    let emit: EventSink
    public internal(set) var counts = Counts()
    public private(set) var isStopped = false
    public internal(set) var isFinished = false
    var terminal: PseudoTerminal?
    var isReaderPresent = false
    var isSilent = false
    /// When the recording started, on the monotonic clock.
    var startedAt: Int64?
    var plannedStart: Int64?
    var nextChunk = 0
    var round: Int64 = 0
    /// Rest of a chunk that waits for room (only at `.max`).
    var backlog: ArraySlice<UInt8> = []

    /// A reader sets its speed and flushes right after opening; what came before that would be lost by chance.
    static let settleNanos: Int64 = 50_000_000
    /// How often a missing reader is looked for: there is no event for an opening.
    static let lookNanos: Int64 = 20_000_000

    /// Creates the device and its link, and emits `ready`.
    public init(_ schedule: UARTSchedule, options: Options, emit: @escaping EventSink) throws(BenchFailure) {
        self.schedule = schedule
        self.options = options
        self.emit = emit
        let terminal = try plugIn()
        if let seconds = options.startAfterSeconds { plannedStart = Monotonic.nanos() + nanos(ofSeconds: seconds) }
        emit([
            "event": "ready", "link": .string(options.link), "device": .string(terminal.device),
            "chunks": .int(Int64(schedule.chunks.count)), "durationMs": .int(schedule.durationMillis),
        ])
    }

    deinit { if terminal != nil { unlink(options.link) } }

    public func receive(_ signal: BenchSignal) {
        switch signal {
        case .unplug:
            guard terminal != nil else { return }
            pullOut()
            emit(["event": "unplugged"])
        case .plug:
            guard terminal == nil else { return }
            do throws(BenchFailure) {
                let terminal = try plugIn()
                emit(["event": "plugged", "device": .string(terminal.device)])
            } catch {
                emit(["event": "failed", "cause": .string(error.cause), "remedy": .string(error.remedy)])
            }
        case .toggleSilence:
            isSilent.toggle()
            emit(["event": "silence", "on": .bool(isSilent)])
        case .stop:
            pullOut()
            isStopped = true
        }
    }

    public func prepare(_ polls: inout PollSet) -> Int64 {
        lookForReader()
        startIfDue()
        play()
        if let terminal, isReaderPresent {
            polls.add(terminal.master, POLLIN | (backlog.isEmpty || isSilent ? 0 : POLLOUT))
        }
        return nanosToNextDuty()
    }

    public func serve(_ polls: PollSet) {
        if let terminal, polls.ready(terminal.master) & POLLIN != 0 { counts.heardBytes += terminal.drain() }
    }

    private func plugIn() throws(BenchFailure) -> PseudoTerminal {
        let terminal = try PseudoTerminal(baud: options.baud ?? 9_600)
        try terminal.point(link: options.link)
        self.terminal = terminal
        return terminal
    }

    private func pullOut() {
        guard terminal != nil else { return }
        unlink(options.link)
        terminal = nil
        isReaderPresent = false
        counts.lostBytes += backlog.count
        backlog = []
    }
}
