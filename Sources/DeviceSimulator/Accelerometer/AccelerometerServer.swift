import CLinux
import Glibc
import TrackerModel
import WireText

/// Serves a simulated accelerometer, and where asked a fuel gauge on the same bus, on a Unix socket; their time starts with
/// the first connection.
public final class AccelerometerServer: BenchDevice {
    public struct Options: Sendable {
        /// Path of the socket.
        public var path: String
        /// Script seconds per second; must be positive.
        public var speed = 1.0
        public var model = SimulatedChipModel.lis3dh
        /// One of the model's two; `nil`: the first. Any other is not acknowledged.
        public var address: UInt8?
        public var faults: [ChipFault] = []
        /// A MAX17048 at 0x36 on this battery; `nil` for none.
        public var battery: BatteryScript?
        /// A Unix socket that carries the chip's interrupt line; `nil`: not wired.
        public var interruptLine: String?

        public init(path: String) { self.path = path }
    }

    /// How often a watched interrupt line is looked at.
    private static let interruptLookNanos: Int64 = 10_000_000

    private let options: Options
    private let emit: EventSink
    private let listener: Int32
    private var clients: [Int32: [UInt8]] = [:]
    private var chip: ChipOnBus
    public var gauge: SimulatedMAX17048?
    private let clock: BenchClock
    private var interrupt: WireSocket?
    public private(set) var isStopped = false

    /// Listens and emits `ready`; a socket file that nobody serves any more is replaced.
    public init(
        _ motion: any AccelerationSource, options: Options, clock: BenchClock? = nil, emit: @escaping EventSink
    ) throws(BenchFailure) {
        self.options = options
        self.clock = clock ?? BenchClock(speed: options.speed)
        self.emit = emit
        chip = ChipOnBus(options.model, motion: motion, address: options.address, faults: options.faults)
        gauge = options.battery.map { SimulatedMAX17048($0) }
        if let path = options.interruptLine { interrupt = try WireSocket(path, level: false) }
        listener = try ListeningSocket.unix(options.path)
        var ready: JSONObject = [
            "event": "ready", "bus": .string(options.path), "chip": .string(options.model.rawValue),
            "address": .int(Int64(chip.address)),
        ]
        if let script = motion as? MotionScript {
            ready["segments"] = .int(Int64(script.segments.count))
            ready["durationMs"] = .int(script.durationMillis)
        }
        emit(ready)
    }

    deinit { shut() }

    public func receive(_ signal: BenchSignal) {
        if case .stop = signal { shut() }
    }

    public func prepare(_ polls: inout PollSet) -> Int64 {
        polls.add(listener, POLLIN)
        for client in clients.keys { polls.add(client, POLLIN) }
        guard let interrupt else { return .max }
        interrupt.prepare(&polls)
        guard interrupt.isWatched, clock.startedAt != nil else { return .max }
        interrupt.set(chip.isInterrupting(at: clock.now))
        return Self.interruptLookNanos
    }

    public func serve(_ polls: PollSet) {
        for client in clients.keys where polls.ready(client) != 0 { serve(client) }
        if polls.ready(listener) != 0 { acceptClient() }
        interrupt?.serve(polls)
    }

    private func acceptClient() {
        guard let client = ListeningSocket.accept(listener) else { return }
        clients[client] = []
        if clock.startedAt == nil {
            clock.start()
            emit(["event": "started"])
        }
    }

    private func serve(_ client: Int32) {
        var part = [UInt8](repeating: 0, count: 1_024)
        let count = read(client, &part, part.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return drop(client) }
        var buffer = (clients[client] ?? []) + part[..<count]
        while true {
            switch RegisterRequest.parse(buffer) {
            case .needsMore:
                clients[client] = buffer
                return
            case .malformed:
                reply([UInt8(EINVAL), 0], to: client)
                return drop(client)
            case .request(let request, let byteCount):
                buffer.removeFirst(byteCount)
                guard reply(answer(request), to: client) else { return drop(client) }
            }
        }
    }

    private func transfer(_ request: RegisterRequest) -> ChipOnBus.Answer {
        let (register, count, values) = (request.register, request.count, request.values)
        if request.address == SimulatedMAX17048.address,
            let answer = gauge?.transfer(register, count: count, values: values, at: clock.now)
        {
            return answer
        }
        // A chip takes single registers.
        return chip.transfer(to: request.address, register, count: count, value: values?.first, at: clock.now)
    }

    private func answer(_ request: RegisterRequest) -> [UInt8] {
        switch transfer(request) {
        case .done(let bytes): return [0, UInt8(bytes.count)] + bytes
        case .notAcknowledged: return [UInt8(EREMOTEIO), 0]
        case .timedOut: return [UInt8(ETIMEDOUT), 0]
        }
    }

    /// A client that does not take its few bytes is broken.
    @discardableResult
    private func reply(_ bytes: [UInt8], to client: Int32) -> Bool {
        send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    private func drop(_ client: Int32) {
        close(client)
        clients[client] = nil
    }

    private func shut() {
        guard !isStopped else { return }
        isStopped = true
        for client in clients.keys { close(client) }
        clients = [:]
        close(listener)
        interrupt = nil
        unlink(options.path)
    }
}
