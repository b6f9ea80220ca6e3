import Ports
import SyncEngine
import TestKit
import TrackerEngine
import TrackerModel
import TrackerRuntime
import WireText

/// A whole runtime on a manual reactor, with doubles at every edge.
final class RuntimeBench {
    let reactor: ManualReactor
    /// UTC of reactor time 0.
    let origin: UTCTime
    let stream = ScriptedByteStream()
    let store: MemoryStore
    let log = RecordingLog()
    let battery = FakeBattery()
    let supplySense = FakeSupplySense()
    let hostPower = RecordingHostPower()
    let load = FakeHostLoad()
    let lines = ScriptedLines()
    let uplink: ScriptedUplink
    let vault: MemoryVault
    let routes = ScriptedRoutes()
    let runtime: Runtime
    var events: [TrackerEvent] = []

    init(
        store: MemoryStore = MemoryStore(), bootID: String = "boot-1", version: String = "test",
        answers: [UplinkResult?] = [.ok], origin: UTCTime = RuntimeBench.epoch, vault: MemoryVault = MemoryVault(),
        change: (inout TrackerConfig) -> Void = { _ in }, addPorts: (inout RuntimePorts) -> Void = { _ in }
    ) {
        self.store = store
        self.vault = vault
        self.origin = origin
        reactor = ManualReactor(wall: WallReading(time: origin, trust: .estimated))
        var config = TrackerConfig()
        config.deviceID = "bench"
        config.sync.url = "https://example.org/points"
        config.sync.headers = [SyncHeader("Authorization", "Bearer secret-token")]
        change(&config)
        uplink = ScriptedUplink(reactor: reactor, script: answers)
        var ports = RuntimePorts(
            reactor: reactor, stream: stream, store: store, log: log, digests: FakeDigests(), calendar: FakeCalendar(),
            battery: battery, supplySense: supplySense, hostPower: hostPower, load: load, lines: lines, uplink: uplink,
            vault: vault, links: [routes])
        addPorts(&ports)
        runtime = Runtime(
            config: config, host: HostFacts(bootID: bootID, version: version, processID: 1, timeScale: 1), ports: ports,
            freshSessionID: "session-\(store.sessions.count + 1)")
        lines.now = { [reactor] in reactor.now }
        runtime.onEvent = { [unowned self] in events.append($0) }
    }

    var status: JSONValue { runtime.status() }

    /// What a client of the control socket is answered to a line; `nil` when that comes later, through the subscriber.
    func answer(
        _ line: [UInt8], user: UInt32 = 0, _ subscriber: any ControlSubscriber = RecordingSubscriber()
    ) throws -> JSONValue? {
        let request = ControlRequest(peer: ControlPeer(userID: user), line: line, subscriber: subscriber)
        return try ControlProtocol(runtime: runtime).reply(to: request).map { try JSONReader.parse($0) }
    }

    static let epoch = CivilTime(year: 2026, month: 5, day: 4, hour: 8).utc

    /// Sends one epoch a second for `seconds`, moving east at `speedMps` from `fromEast` metres.
    func play(_ seconds: Int, fromEast: Double = 0, speedMps: Double) {
        for second in 0..<seconds {
            stream.deliver(epoch(east: fromEast + Double(second) * speedMps, speedMps: speedMps))
            reactor.advance(byMillis: 1_000)
        }
    }

    func epoch(east: Double, speedMps: Double, valid: Bool = true) -> String {
        let civil = CivilTime(origin.advanced(byMillis: reactor.now.millis))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = two(civil.hour) + two(civil.minute) + two(civil.second) + ".00"
        // 47.05° N; one minute of longitude is 1 267.6 m there.
        let minutes = 18_000_000 + Int64((east / 1_267.6 * 1_000_000).rounded())
        let longitude = "008\(minutes / 1_000_000)." + String(String(1_000_000 + minutes % 1_000_000).dropFirst())
        let date = two(civil.day) + two(civil.month) + two(civil.year % 100)
        let knots = FixedPoint.text(Int64((speedMps / 0.514_444 * 100).rounded()), places: 2)
        let place = valid ? "4703.000000,N,\(longitude),E" : ",,,"
        return Self.sentence("GNGGA,\(time),\(place),\(valid ? 1 : 0),10,0.8,450.0,M,48.0,M,,")
            + Self.sentence("GNRMC,\(time),\(valid ? "A" : "V"),\(place),\(knots),90.0,\(date),,,\(valid ? "A" : "N")")
    }

    static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        return "$\(body)*\(Hex.text([sum]))\r\n"
    }
}

extension UplinkResult {
    static let ok = UplinkResult.answered(status: 200, retryAfter: nil, date: nil, body: [])
    static func status(_ code: Int) -> UplinkResult { .answered(status: code, retryAfter: nil, date: nil, body: []) }
}
