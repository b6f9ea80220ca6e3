import GNSSCodecs
public import Ports
import TrackerModel

/// Plays raw logs into the runtime as a serial line would, at the times the logs were recorded. For replay.
public final class PacedLogStream: ByteStream {
    public let name: String
    public let isRealDevice = false
    private let reactor: any Reactor
    private let logs: [PacedLog]
    private var handler: ((ByteStreamEvent) -> Void)?
    private var log = 0
    private var chunk = 0
    private var logStart: Instant?

    /// - Parameter logs: contents of raw logs, played one after the other, 1 s apart.
    public init(name: String, logs: [[UInt8]], reactor: any Reactor) {
        self.name = name
        self.logs = logs.map { PacedLog($0) }
        self.reactor = reactor
    }

    /// All chunks have been played.
    public private(set) var isFinished = false

    public func open(baud: Int, _ handler: @escaping (ByteStreamEvent) -> Void) throws(ByteStreamFailure) {
        self.handler = handler
        // Opened again after a silence in the log, the playing goes on where it is.
        if logStart == nil { schedule() }
    }

    public var candidates: [String] { [name] }
    public func choose(_ path: String) {}
    /// A log is right at every speed.
    public func setBaud(_ baud: Int) throws(ByteStreamFailure) {}
    public func write(_ bytes: [UInt8]) throws(ByteStreamFailure) {}
    public func close() { handler = nil }

    private func schedule() {
        while log < logs.count, chunk == logs[log].chunks.count {
            log += 1
            chunk = 0
            logStart = reactor.now.advanced(byMillis: 1_000)
        }
        guard log < logs.count else { return isFinished = true }
        let start = logStart ?? reactor.now
        logStart = start
        let deadline = start.advanced(byMillis: logs[log].chunks[chunk].offsetMillis)
        reactor.schedule(at: deadline, toleranceMillis: 0) { [unowned self] in
            let range = logs[log].chunks[chunk].range
            handler?(.bytes(Array(logs[log].bytes[range])))
            chunk += 1
            schedule()
        }
    }
}
