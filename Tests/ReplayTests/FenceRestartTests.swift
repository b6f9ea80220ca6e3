import Glibc
import LinuxIO
import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

/// One life of the daemon on a database file: a runtime, a receiver, a clock.
private final class FenceLife {
    let reactor: ManualReactor
    let stream = ScriptedByteStream()
    let store: SQLiteStore
    let runtime: Runtime
    var events: [TrackerEvent] = []
    /// UTC of instant 0.
    private let bootAt: UTCTime

    static let start = CivilTime(year: 2026, month: 5, day: 4, hour: 8).utc

    /// - Parameter minute: of the journey, at which this process starts.
    init(_ path: String, bootID: String, minute: Int64, upMinutes: Int64, trust: WallTrust) throws {
        let now = FenceLife.start.advanced(byMillis: minute * 60_000)
        bootAt = now.advanced(byMillis: -upMinutes * 60_000)
        reactor = ManualReactor(now: Instant(millis: upMinutes * 60_000), wall: WallReading(time: now, trust: trust))
        store = try SQLiteStore(path: path)
        var config = TrackerConfig()
        config.gnssConfigure = false
        runtime = Runtime(
            config: config, host: HostFacts(bootID: bootID, version: "test", processID: 1, timeScale: 1),
            ports: RuntimePorts(
                reactor: reactor, stream: stream, store: store, log: RecordingLog(), digests: OpenSSLDigests(),
                calendar: FakeCalendar()),
            freshSessionID: "session-1")
        runtime.onEvent = { [unowned self] in events.append($0) }
        try runtime.start()
    }

    func ask(_ op: String, _ arguments: String = "{}") throws -> JSONValue {
        let line = #"{"id":1,"op":"\#(op)","args":\#(arguments)}"#
        let request = ControlRequest(
            peer: ControlPeer(userID: 0), line: Array(line.utf8), subscriber: RecordingSubscriber())
        return try JSONReader.parse(try #require(ControlProtocol(runtime: runtime).reply(to: request)))
    }

    /// As a process dies: nothing is told to stop, and nothing more is written.
    func kill() { store.close() }

    /// A fix a second at a place, for some seconds.
    func stay(_ seconds: Int, latitudeMinutes: String = "03.000000") {
        for _ in 0..<seconds {
            let civil = CivilTime(bootAt.advanced(byMillis: reactor.now.millis))
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let time = two(civil.hour) + two(civil.minute) + two(civil.second) + ".00"
            let place = "47\(latitudeMinutes),N,00818.000000,E"
            stream.deliver(Self.sentence("GNGGA,\(time),\(place),1,10,0.8,450.0,M,48.0,M,,"))
            stream.deliver(Self.sentence("GNRMC,\(time),A,\(place),0.0,90.0,040526,,,A"))
            reactor.advance(byMillis: 1_000)
        }
    }

    private static func sentence(_ body: String) -> String {
        "$\(body)*\(Hex.text([body.utf8.reduce(0, ^)]))\r\n"
    }

    var told: [FenceCrossing] {
        events.compactMap { event in
            switch event {
            case .geofenceEnter(let crossing), .geofenceExit(let crossing), .geofenceDwell(let crossing): crossing
            default: nil
            }
        }
    }
}

/// A database file of its own, removed when the value goes.
private final class FenceDatabase {
    let path: String

    init() throws {
        var template = Array("/tmp/tracker-fence-XXXXXX".utf8CString)
        let descriptor = template.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
        try #require(descriptor >= 0)
        close(descriptor)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) } }
}

@Suite("Fences over the death of the process")
struct FenceRestartTests {
    private static let fence = #"{"id":"depot","latitude":47.05,"longitude":8.3,"radiusM":100,"dwellAfterMs":600000}"#

    /// Entered at the start, killed at minute 2. Returns when it was entered.
    private func killedAtMinuteTwo(_ database: FenceDatabase) throws -> UTCTime {
        let life = try FenceLife(database.path, bootID: "boot-1", minute: 0, upMinutes: 5, trust: .unknown)
        life.stay(1)
        #expect(try life.ask("addGeofence", Self.fence)["ok"] == true)
        life.stay(119)
        #expect(life.told.map(\.kind) == [.enter])
        life.kill()
        return try #require(life.told.first).time
    }

    struct Restart: Sendable, CustomStringConvertible {
        var bootID: String
        var upMinutes: Int64
        var trust: WallTrust
        var hasFix: Bool
        var description: String { "\(bootID), clock \(trust.rawValue), fix \(hasFix)" }
    }

    static let restarts: [Restart] = [
        Restart(bootID: "boot-1", upMinutes: 45, trust: .disciplined, hasFix: true),
        Restart(bootID: "boot-1", upMinutes: 45, trust: .unknown, hasFix: true),
        Restart(bootID: "boot-2", upMinutes: 1, trust: .unknown, hasFix: true),
        Restart(bootID: "boot-2", upMinutes: 1, trust: .disciplined, hasFix: false),
    ]

    @Test(
        "Ten minutes' stay, killed at minute 2, back at minute 40: one dwell, at entry + 10 min (A-19, E-165, E-167)",
        arguments: restarts)
    func dwell(restart: Restart) throws {
        let database = try FenceDatabase()
        let entry = try killedAtMinuteTwo(database)
        let life = try FenceLife(
            database.path, bootID: restart.bootID, minute: 40, upMinutes: restart.upMinutes, trust: restart.trust)
        if restart.hasFix { life.stay(900) } else { life.reactor.advance(byMillis: 900_000) }
        #expect(life.told.map(\.kind) == [.dwell])
        let dwell = try #require(life.told.first)
        #expect(dwell.time == entry.advanced(byMillis: 600_000))
        #expect(dwell.isLate && dwell.isUnverified == !restart.hasFix)
        life.kill()
        let third = try FenceLife(database.path, bootID: "boot-3", minute: 60, upMinutes: 1, trust: .disciplined)
        third.stay(900)
        #expect(third.told.isEmpty, "once a visit")
        let history = try #require(try third.ask("getGeofenceEvents")["result"]?.arrayValue)
        #expect(history.compactMap { $0["kind"]?.stringValue } == ["dwell", "enter"])
        third.kill()
    }

    @Test("Left before the ten minutes were over, while dead: a late exit and no dwell (E-164, E-166)")
    func left() throws {
        let database = try FenceDatabase()
        _ = try killedAtMinuteTwo(database)
        let life = try FenceLife(database.path, bootID: "boot-1", minute: 40, upMinutes: 45, trust: .disciplined)
        life.stay(900, latitudeMinutes: "05.000000")
        #expect(life.told.map(\.kind) == [.exit])
        let exit = try #require(life.told.first)
        #expect(exit.isLate)
        #expect(exit.time.millis - FenceLife.start.millis >= 40 * 60_000, "the time of the first proof")
        life.kill()
    }

    @Test("Back at minute 5, still inside: the dwell comes at minute 10")
    func backInTime() throws {
        let database = try FenceDatabase()
        let entry = try killedAtMinuteTwo(database)
        let life = try FenceLife(database.path, bootID: "boot-2", minute: 5, upMinutes: 1, trust: .unknown)
        life.stay(290)
        #expect(life.told.isEmpty)
        life.stay(30)
        #expect(life.told.map(\.kind) == [.dwell])
        #expect(life.told.first?.time == entry.advanced(byMillis: 600_000) && life.told.first?.isLate == false)
        life.kill()
    }
}
