public import Ports
public import TrackerModel

/// A line that the test writes to; it can refuse to open.
public final class ScriptedByteStream: ByteStream {
    public private(set) var name = "/dev/scripted"
    public let isRealDevice = false
    public private(set) var handler: ((ByteStreamEvent) -> Void)?
    public private(set) var opens = 0
    public var refusal: ByteStreamFailure?
    public var candidates = ["/dev/scripted"]
    /// Paths and speeds of all attempts to open and changes of speed, `PATH@BAUD`.
    public private(set) var settings: [String] = []
    public private(set) var baud = 0
    public private(set) var written: [[UInt8]] = []
    /// Called with every write, for a double of what is at the other end.
    public var onWrite: (([UInt8]) -> Void)?

    public init() {}

    public func choose(_ path: String) { name = path }
    public func open(baud: Int, _ handler: @escaping (ByteStreamEvent) -> Void) throws(ByteStreamFailure) {
        opens += 1
        settings.append("\(name)@\(baud)")
        if let refusal { throw refusal }
        self.baud = baud
        self.handler = handler
    }
    public func setBaud(_ baud: Int) throws(ByteStreamFailure) {
        settings.append("\(name)@\(baud)")
        self.baud = baud
    }
    public func write(_ bytes: [UInt8]) throws(ByteStreamFailure) {
        written.append(bytes)
        onWrite?(bytes)
    }
    public func close() { handler = nil }

    public func deliver(_ text: String) { handler?(.bytes(Array(text.utf8))) }
    public func unplug() {
        let handler = handler
        self.handler = nil
        handler?(.lost(ByteStreamFailure(code: .unplugged, cause: "the line is gone", remedy: "plug it in")))
    }
}

/// Answers exchanges from a script, one entry each, the last one repeated; `nil` never answers.
public final class ScriptedUplink: Uplink {
    public private(set) var requests: [UplinkRequest] = []
    public var script: [UplinkResult?]
    /// Bytes of each exchange, where a test counts them; else the body's, and 100 down.
    public var cost: (up: Int64, down: Int64)?
    /// Instead of the script: what the server makes of a request.
    public var answer: ((UplinkRequest) -> UplinkResult?)?
    /// How long an answer takes.
    public var answerMillis: (UplinkRequest) -> Int64 = { _ in 100 }
    private let reactor: any Reactor
    public private(set) var isClosed = false
    /// Called by `close`.
    public var whenClosed: () -> Void = {}

    public init(reactor: any Reactor, script: [UplinkResult?]) {
        self.reactor = reactor
        self.script = script
    }

    public func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void) {
        requests.append(request)
        let scripted = answer.map { $0(request) } ?? (script.count > 1 ? script.removeFirst() : script.first ?? nil)
        guard let result = scripted else { return }
        // Never from inside `start`.
        let due = reactor.now.advanced(byMillis: answerMillis(request))
        reactor.schedule(at: due, toleranceMillis: 0) { [weak self] in
            guard let self, !self.isClosed else { return }
            let cost = self.cost ?? (Int64(request.body.count), 100)
            finished(UplinkReport(result, bytesUp: cost.up, bytesDown: cost.down))
        }
    }
    public func close() {
        isClosed = true
        whenClosed()
    }
}

/// Keeps log lines for assertions about what is *not* in them.
public final class RecordingLog: LogSink {
    public private(set) var lines: [String] = []
    public init() {}
    public func write(_ level: LogLevel, _ event: String, _ fields: [(String, LogValue)]) {
        let parts = fields.map { key, value in
            switch value {
            case .int(let number): "\(key)=\(number)"
            case .text(let text): "\(key)=\(text)"
            }
        }
        if level.rawValue <= LogLevel.info.rawValue { lines.append(([event] + parts).joined(separator: " ")) }
    }
}

/// Digests that differ for different input and are enough for identity in tests.
public final class FakeDigests: Digests {
    public init() {}
    public func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, length: 20) }
    public func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, length: 32) }
    private func digest(_ bytes: [UInt8], length: Int) -> [UInt8] {
        var state: UInt64 = bytes.reduce(1_469_598_103_934_665_603) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return (0..<length).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }
}

/// A calendar of one day.
public final class FakeCalendar: ZoneCalendar {
    public let zoneID = "UTC"
    public init() {}
    public func localDate(of time: UTCTime) -> String { "2026-05-04" }
}

/// A battery that reads what the test says.
public final class FakeBattery: BatterySource {
    public let name = "fake"
    public let isRealDevice = false
    public var reading = BatteryReading.unknown
    public init() {}
    public func read() -> BatteryReading { reading }
}

/// A supply that sags when the test says so.
public final class FakeSupplySense: SupplySense {
    public var reading: Bool?
    public init() {}
    public func isUnderVoltage() -> Bool? { reading }
}

/// Counts the wishes to be switched off; refuses them while it has a reason.
public final class RecordingHostPower: HostPower {
    public private(set) var requests = 0
    public var refusal: String?
    public init() {}
    public func powerOff(_ failed: @escaping (String) -> Void) {
        requests += 1
        if let refusal { failed(refusal) }
    }
}

/// Work that the test says was done.
public final class FakeHostLoad: HostLoad {
    public var wakeUps: Int64 = 0
    public var contextSwitches: Int64 = 0
    public var cpuMillis: Int64 = 0
    public init() {}
}

/// Keeps what it is sent; the test may make it go away.
public final class RecordingSubscriber: ControlSubscriber {
    public private(set) var lines: [[UInt8]] = []
    public var isOpen = true
    public init() {}
    public func push(_ line: [UInt8]) { lines.append(line) }
    public func reply(_ line: [UInt8]) { lines.append(line) }
}
