public import Ports
import TrackerModel

/// A simulated receiver at the end of a line, on a loop's own clock: what it says arrives when it says it.
public final class SimulatedReceiverStream: ByteStream {
    public let name = "/dev/live"
    public let isRealDevice = false
    public private(set) var receiver: SimulatedReceiver
    private let reactor: any Reactor
    /// Bytes that arrive together.
    private let batch: Int
    private var handler: ((ByteStreamEvent) -> Void)?
    private var baud = 0
    private var timer: TimerID?
    /// Milliseconds awake so far.
    public private(set) var awakeMillis: Int64 = 0
    private var lastLook = Instant.zero
    /// Everything that was sent to it, and when.
    public private(set) var written: [(second: Double, bytes: [UInt8])] = []

    public init(_ receiver: SimulatedReceiver, _ reactor: any Reactor, batch: Int = 64) {
        self.receiver = receiver
        self.reactor = reactor
        self.batch = batch
        arm()
    }

    public var candidates: [String] { [name] }
    public func choose(_ path: String) {}
    public func open(baud: Int, _ handler: @escaping (ByteStreamEvent) -> Void) throws(ByteStreamFailure) {
        self.baud = baud
        self.handler = handler
    }
    public func setBaud(_ baud: Int) throws(ByteStreamFailure) { self.baud = baud }
    public func write(_ bytes: [UInt8]) throws(ByteStreamFailure) {
        look()
        written.append((reactor.now.seconds(since: .zero), bytes))
        receiver.receive(bytes, baud: baud, at: reactor.now)
        arm()
    }
    public func close() { handler = nil }

    /// Switches its supply.
    public func feed(_ isFed: Bool) {
        look()
        receiver.setPower(isFed, at: reactor.now)
        arm()
    }

    private func look() {
        if receiver.isAwake { awakeMillis += reactor.now.millis(since: lastLook) }
        lastLook = reactor.now
    }

    private func arm() {
        timer.map(reactor.cancel)
        let due = receiver.nextDuty(batch: batch)
        guard due < .never else { return timer = nil }
        timer = reactor.schedule(at: max(due, reactor.now), toleranceMillis: 0) { [unowned self] in
            timer = nil
            look()
            for chunk in receiver.advance(to: reactor.now) {
                // At another speed nothing of it makes sense.
                let heard = chunk.baud == baud ? chunk.bytes : chunk.bytes.map { $0 ^ 0x95 }
                handler?(.bytes(heard))
            }
            arm()
        }
    }
}
