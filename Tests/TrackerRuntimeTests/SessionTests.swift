import Ports
import TestKit
import Testing
import TrackerEngine
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Sessions and one-shots over the control socket")
struct SessionTests {
    private func ask(
        _ bench: RuntimeBench, _ op: String, _ arguments: String = "{}",
        _ subscriber: RecordingSubscriber = RecordingSubscriber()
    ) throws -> JSONValue? {
        try bench.answer(Array(#"{"id":7,"op":"\#(op)","args":\#(arguments)}"#.utf8), subscriber)
    }

    private func interruption(_ bench: RuntimeBench) -> InterruptionCause? {
        bench.events.lazy.compactMap { if case .sessionInterrupted(_, let cause) = $0 { cause } else { nil } }.first
    }

    @Test("Start twice is one session (E-223); stop closes it, and a stopped device stays stopped over restarts")
    func startStop() throws {
        let store = MemoryStore()
        let bench = RuntimeBench(store: store)
        try bench.runtime.start()
        #expect(try ask(bench, "start")?["result.id"] == "session-1")
        #expect(try ask(bench, "start")?["result.id"] == "session-1")
        bench.play(30, speedMps: 14)
        #expect(try ask(bench, "stop")?["result.endedAt"] != nil)
        #expect(try ask(bench, "stop")?["result"] == .null)
        #expect(bench.events.filter { $0 == .enabledChange(false) }.count == 1)
        let points = store.points.count
        bench.play(60, fromEast: 31 * 14, speedMps: 14)
        #expect(store.points.count == points)
        #expect(bench.status["session"] == nil)
        let second = RuntimeBench(store: store)
        try second.runtime.start()
        second.play(60, speedMps: 14)
        #expect(store.points.count == points && store.sessions.count == 1)
        #expect(try ask(second, "start")?["ok"] == true)
        second.play(30, speedMps: 14)
        #expect(store.points.count > points && store.sessions.count == 2)
    }

    @Test("How the last run ended is told: crash, power cut, restart, update, reboot (E-137)")
    func interruptions() throws {
        func cause(
            stopping: Bool, boot: String, version: String = "test", seconds: Int = 20
        ) throws -> InterruptionCause? {
            let store = MemoryStore()
            let first = RuntimeBench(store: store)
            try first.runtime.start()
            first.play(seconds, speedMps: 14)
            if stopping { first.runtime.stop() }
            let second = RuntimeBench(store: store, bootID: boot, version: version)
            try second.runtime.start()
            return interruption(second)
        }
        #expect(try cause(stopping: false, boot: "boot-1") == .crash)
        #expect(try cause(stopping: false, boot: "boot-1", seconds: 0) == .crash, "before the first decision")
        #expect(try cause(stopping: false, boot: "boot-2") == .powerCut)
        #expect(try cause(stopping: true, boot: "boot-1") == .restart)
        #expect(try cause(stopping: true, boot: "boot-1", version: "next") == .update)
        #expect(try cause(stopping: true, boot: "boot-2") == .reboot)
    }

    @Test("Without resumeOnBoot the open session is closed and capture waits for start")
    func noResume() throws {
        let store = MemoryStore()
        let first = RuntimeBench(store: store)
        try first.runtime.start()
        first.play(20, speedMps: 14)
        let second = RuntimeBench(store: store) { $0.resumeOnBoot = false }
        try second.runtime.start()
        #expect(interruption(second) == .crash)
        #expect(store.sessions.first?.endedAt != nil && second.status["session"] == nil)
        #expect(try ask(second, "start")?["ok"] == true)
        #expect(store.sessions.count == 2)
    }

    @Test("stopOnStationary closes the session by itself (E-100)")
    func stopOnStationary() throws {
        let bench = RuntimeBench {
            $0.capture.stopOnStationary = true
            $0.capture.stopTimeoutMillis = 60_000
        }
        try bench.runtime.start()
        bench.play(60, speedMps: 14)
        bench.play(240, fromEast: 59 * 14, speedMps: 0)
        #expect(bench.events.contains(.enabledChange(false)))
        #expect(bench.store.sessions.first?.endedAt != nil)
        bench.play(60, fromEast: 59 * 14, speedMps: 14)
        #expect(bench.store.sessions.count == 1 && bench.status["session"] == nil)
    }

    @Test("Pace needs a session and a word; it moves at once")
    func pace() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        #expect(try ask(bench, "changePace")?["code"] == "invalidRequest")
        #expect(try ask(bench, "changePace", #"{"moving":true}"#)?["result.motion"] == "moving")
        #expect(try ask(bench, "changePace", #"{"moving":false}"#)?["result.motion"] == "stationary")
        _ = try ask(bench, "stop")
        #expect(try ask(bench, "changePace", #"{"moving":true}"#)?["code"] == "notReady")
    }

    @Test("A fix that is asked for comes when the receiver has one, as a line of its own")
    func oneShot() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        let client = RecordingSubscriber()
        #expect(try ask(bench, "getCurrentLocation", "{}", client) == nil)
        #expect(try ask(bench, "getCurrentLocation")?["code"] == "oneShotBusy")
        bench.play(2, speedMps: 0)
        let line = try #require(client.lines.first)
        let reply = try JSONReader.parse(line)
        #expect(reply["id"] == 7 && reply["ok"] == true)
        #expect(reply["result.lat"]?.doubleValue.map { abs($0 - 47.05) < 1e-4 } == true)
        #expect(client.lines.count == 1)
        // And what arrived a moment ago is the answer at once.
        #expect(try ask(bench, "getCurrentLocation")?["ok"] == true)
    }

    @Test("No fix in time says what the receiver does, and three of them open the circuit")
    func timeouts() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        for round in 1...4 {
            let client = RecordingSubscriber()
            let now = try ask(bench, "getCurrentLocation", #"{"timeoutMs":2000}"#, client)
            bench.reactor.advance(byMillis: 4_000)
            let reply = try now ?? JSONReader.parse(try #require(client.lines.first))
            #expect(reply["code"]?.stringValue == (round < 4 ? "fixTimeout" : "oneShotCircuitOpen"))
            #expect(reply["message"]?.stringValue?.contains("receiver") == true)
        }
        #expect(try ask(bench, "getCurrentLocation", #"{"timeoutMs":5}"#)?["code"] == "invalidRequest")
        #expect(try ask(bench, "getCurrentLocation", #"{"accuracyM":"x"}"#)?["code"] == "invalidRequest")
    }

    @Test(
        "A gap of more than an hour is urgent, but not a rest that ends where the receiver could only just find itself")
    func urgentGap() {
        func gap(_ millis: Int64, _ metres: Int64, _ cause: GapCause) -> Bool {
            TrackingGap(durationMillis: millis, distanceMM: metres * 1_000, cause: cause).isUrgent
        }
        #expect(gap(3_600_001, 300, .sky) && gap(3_600_001, 300, .reboot))
        #expect(!gap(3_600_000, 30_000, .sky))
        #expect(!gap(28_800_000, 1_999, .powerSave) && gap(28_800_000, 2_000, .powerSave))
    }

    @Test("A gap is told with the first point after it, once; the odometer adds up over sessions")
    func gapAndOdometer() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(60, speedMps: 14)
        bench.reactor.advance(byMillis: 700_000)
        bench.play(60, fromEast: 2_000, speedMps: 14)
        let gaps = bench.events.compactMap { if case .trackingGap(let gap) = $0 { gap } else { nil } }
        #expect(gaps.count == 1)
        #expect(gaps.first.map { (690_000...770_000).contains($0.durationMillis) } == true)
        #expect(gaps.first?.cause == .receiver)
        let first = try #require(bench.store.points.last).odometerMM
        _ = try ask(bench, "stop")
        _ = try ask(bench, "start")
        bench.play(60, fromEast: 4_000, speedMps: 14)
        let second = try #require(bench.store.points.last).odometerMM
        #expect(second < first)
        #expect(try ask(bench, "getOdometerMeters")?["result.meters"]?.doubleValue == Double(first + second) / 1_000)
    }

    @Test("A significant stop is marked on its stored point and sent once more as a pin")
    func significantStop() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(60, speedMps: 14)
        bench.play(1_000, fromEast: 59 * 14, speedMps: 0)
        bench.reactor.advance(byMillis: 200_000)
        let marked = bench.store.points.filter(\.isSignificantStop)
        #expect(marked.map(\.uuid) == [bench.store.points.last?.uuid])
        #expect(bench.store.sentIDs.count == bench.store.points.count)
        let pins = bench.uplink.requests.filter {
            String(decoding: $0.body, as: UTF8.self).contains(#""is_show_pin":"Yes""#)
        }
        #expect(pins.count == 1)
    }

    @Test("While the store refuses a stop's point, no other point is marked for it")
    func stopWithoutPoint() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(60, speedMps: 14)
        bench.store.refusal = StoreFailure(code: .full, cause: "the disk is full", remedy: "free space")
        bench.play(60, fromEast: 60 * 14, speedMps: 14)
        bench.play(1_000, fromEast: 120 * 14, speedMps: 0)
        bench.store.refusal = nil
        bench.play(60, fromEast: 120 * 14, speedMps: 0)
        #expect(bench.store.points.count > 5 && !bench.store.points.contains(where: \.isSignificantStop))
    }

    @Test("A capture state that cannot be read: the session goes on from its last point, odometer and all")
    func unreadableState() throws {
        let store = MemoryStore()
        let first = RuntimeBench(store: store)
        try first.runtime.start()
        first.play(60, speedMps: 14)
        let before = try #require(store.points.last)
        try store.setState(.capture, "{")
        let second = RuntimeBench(store: store)
        try second.runtime.start()
        second.reactor.advance(byMillis: 61_000)
        second.play(60, fromEast: 61 * 14, speedMps: 14)
        let after = try #require(store.points.last)
        #expect(after.uuid != before.uuid && after.odometerMM > before.odometerMM)
        #expect(store.decisions.count { $0.reason == .initial } == 1)
        #expect(
            second.events.contains {
                if case .diagnostic(let text) = $0 { text.hasPrefix("capture_state_unreadable") } else { false }
            })
    }

    @Test("A disk that refuses the mark of a run does not keep a tracker from going on with its session")
    func fullDisk() throws {
        let store = MemoryStore()
        let first = RuntimeBench(store: store)
        try first.runtime.start()
        first.play(60, speedMps: 14)
        store.refusal = StoreFailure(code: .full, cause: "the disk is full", remedy: "free space")
        let second = RuntimeBench(store: store)
        try second.runtime.start()
        #expect(second.status["session.resumed"]?.boolValue == true)
    }

    @Test("Stopped, and the power cut before the session was closed: it is closed at the next start")
    func stoppedHalfway() throws {
        let store = MemoryStore()
        let first = RuntimeBench(store: store)
        try first.runtime.start()
        try store.setState(.stopped, "1")
        let second = RuntimeBench(store: store, bootID: "boot-2")
        try second.runtime.start()
        #expect(second.status["session"] == nil && store.sessions.map { $0.endedAt == nil } == [false])
    }

    @Test("A heartbeat every two minutes; a wall clock that is set or disagrees is told (E-011, E-146)")
    func clocks() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(60, speedMps: 0)
        bench.reactor.advance(byMillis: 400_000)
        #expect(bench.events.count { if case .heartbeat = $0 { true } else { false } } >= 3)
        #expect(
            !bench.events.contains { if case .diagnostic(let text) = $0 { text.hasPrefix("clock_") } else { false } })
        bench.reactor.wall.time = bench.reactor.wall.time.advanced(byMillis: 7_200_000)
        bench.play(3, speedMps: 0)
        bench.reactor.advance(byMillis: 300_000)
        let told = bench.events.compactMap {
            if case .diagnostic(let text) = $0 { text.split(separator: ":").first } else { nil }
        }
        #expect(told.count { $0 == "clock_step" } == 1)
        #expect(told.count { $0 == "clock_skew" } == 1)
    }

    @Test("A dead receiver is started again and reported (E-133)")
    func dead() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(10, speedMps: 0)
        bench.reactor.advance(byMillis: 3_800_000)
        let told = bench.events.compactMap { if case .error(.trackerDead, let text) = $0 { text } else { nil } }
        // The bench's receiver never said what it is: what cannot be done is not said to have been done.
        #expect(told.first?.contains("cannot be started again") == true, "\(told)")
    }
}
