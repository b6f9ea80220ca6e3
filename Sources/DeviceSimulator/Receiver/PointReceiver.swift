import CLinux
import Glibc
import WireText

/// The upload endpoint of the bench on 127.0.0.1: keeps the points, and misbehaves as its script tells it to.
public final class PointReceiver: BenchDevice {
    public struct Options: Sendable {
        /// 0: any free port.
        public var port: UInt16 = 0
        public var script = StatusScript()
        /// New points are appended to this file, a JSON line each; what it holds at the start has arrived before.
        public var keepPath: String?
        /// The so-and-so-many-th point that it ever sees is refused with 422, and with it every batch that holds it.
        public var refusedPoint: Int?
        /// Batches of more points are refused with 413.
        public var mostPoints: Int?

        public init() {}
    }

    /// The port it listens on.
    public let port: UInt16
    public internal(set) var collection = PointCollection()
    var script: StatusScript
    let emit: EventSink
    let keepFile: Int32
    let keepPath: String
    var limits: ReceiverLimits
    private let listener: Int32
    private var connections: [Int32: ReceiverConnection] = [:]
    public private(set) var isStopped = false

    private static let mostConnections = 64
    static let slowNanos: Int64 = 3_000_000_000

    /// Listens and emits `ready` with the port.
    public init(_ options: Options, emit: @escaping EventSink) throws(BenchFailure) {
        script = options.script
        limits = ReceiverLimits(refusedPoint: options.refusedPoint, mostPoints: options.mostPoints)
        self.emit = emit
        keepPath = options.keepPath ?? ""
        if let path = options.keepPath {
            keepFile = linux_open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
            if keepFile < 0 {
                throw .call("open", path, remedy: "Check that the folder exists and that you may write there.")
            }
            // A last line that a kill cut short is no point and was not confirmed.
            let lines = try BenchFile.read(path).split(separator: UInt8(ascii: "\n"))
            for line in lines { _ = try? collection.keep(points: [JSONReader.parse(Array(line))]) }
        } else {
            keepFile = -1
        }
        (listener, port) = try ListeningSocket.loopback(port: options.port)
        emit(["event": "ready", "port": .int(Int64(port)), "url": .string("http://127.0.0.1:\(port)/")])
    }

    deinit { shut() }

    public func receive(_ signal: BenchSignal) {
        if case .stop = signal { shut() }
    }

    public func prepare(_ polls: inout PollSet) -> Int64 {
        if connections.count < Self.mostConnections { polls.add(listener, POLLIN) }
        var wait = Int64.max
        for (descriptor, connection) in connections {
            polls.add(descriptor, connection.interest)
            if let due = connection.answerDueAt { wait = min(wait, due - Monotonic.nanos()) }
        }
        return wait
    }

    public func serve(_ polls: PollSet) {
        for descriptor in connections.keys { serve(descriptor, polls.ready(descriptor)) }
        if polls.ready(listener) != 0, let client = ListeningSocket.accept(listener) {
            connections[client] = ReceiverConnection(descriptor: client)
        }
    }

    private func serve(_ descriptor: Int32, _ ready: Int32) {
        guard var connection = connections[descriptor] else { return }
        connection.releaseIfDue(at: Monotonic.nanos())
        var isAlive = true
        if ready & (POLLIN | POLLHUP | POLLERR) != 0 { isAlive = connection.readMore() }
        if isAlive { isAlive = answerAll(&connection) && connection.writeMore() }
        if isAlive {
            connections[descriptor] = connection
        } else {
            close(descriptor)
            connections[descriptor] = nil
        }
    }

    private func shut() {
        guard !isStopped else { return }
        isStopped = true
        for descriptor in connections.keys { close(descriptor) }
        connections = [:]
        close(listener)
        if keepFile >= 0 { close(keepFile) }
    }
}
