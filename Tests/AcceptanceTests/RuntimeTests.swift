import MotionSensing
import Ports
import Recordings
import TestKit
import Testing
import TrackerGeo
import TrackerModel
import WireText

@testable import DeviceSimulator
@testable import TrackerEngine
@testable import TrackerRuntime

/// A runtime on a manual clock, with a receiver that says nothing by itself.
private final class Bench {
    let reactor: ManualReactor
    let runtime: Runtime
    var events: [TrackerEvent] = []

    /// - Parameter second: of the story, at which this process starts.
    init(_ store: MemoryStore = MemoryStore(), second: Int64 = 0) throws {
        reactor = ManualReactor(
            now: Instant(millis: second * 1_000),
            wall: WallReading(time: SimulatedTrack.start.advanced(byMillis: second * 1_000), trust: .estimated))
        runtime = Runtime(
            config: TrackerConfig(), host: HostFacts(bootID: "boot", version: "test", processID: 1, timeScale: 1),
            ports: RuntimePorts(
                reactor: reactor, stream: ScriptedByteStream(), store: store, log: RecordingLog(),
                digests: FakeDigests(), calendar: FakeCalendar()),
            freshSessionID: "session")
        runtime.onEvent = { [unowned self] in events.append($0) }
        try runtime.start()
    }

    func play(_ track: some Sequence<TrackFix>) {
        for fix in track {
            reactor.advance(to: fix.instant)
            runtime.fixArrived(fix)
        }
    }

    var points: [TrackPoint] {
        events.compactMap { if case .location(let point) = $0 { point } else { nil } }
    }
    var dwells: [FenceCrossing] {
        events.compactMap { if case .geofenceDwell(let crossing) = $0 { crossing } else { nil } }
    }
    var gaps: [TrackingGap] {
        events.compactMap { if case .trackingGap(let gap) = $0 { gap } else { nil } }
    }
}

@Suite("Acceptance: steps, replay, silence, fences and gaps")
struct RuntimeTests {
    @Test("A-16: 216 steps at 50 Hz are counted within 5 %, also when every third sample is missing")
    func steps() throws {
        let script = try MotionScript(text: "walking 120")
        for isThinned in [false, true] {
            var detector = StepDetector()
            var total = 0
            for index in 0..<6_000 where !isThinned || index % 3 != 2 {
                let instant = Instant(millis: Int64(index) * 20)
                let felt = script.acceleration(at: instant)
                let sample = MotionSample(instant: instant, x: felt.x, y: felt.y, z: felt.z)
                if let reading = detector.handle(sample) { total = reading.total }
            }
            let ok = AcceptanceTable.record(
                "A-16", "walk of 216 steps at 50 Hz\(isThinned ? ", every third sample missing" : "")",
                "\(total) steps", limit: "216 +- 5 %", passed: abs(total - 216) <= 10)
            #expect(ok)
        }
    }

    @Test("A-17: fixes and samples are played in the order of their times, the same at speeds 1 and 1000")
    func replaySpeeds() throws {
        let track = SimulatedTrack(.mixed, everyMillis: 1_000, seed: 17)
        let fixes = track.map { LocationLine($0, bootID: nil).json.text + "\n" }.joined()
        let script = try MotionScript(text: "still 310\ndriving 195\nstill 600\nwalking 280\nstill 600")
        let samples = (0..<script.durationMillis / 100).map { tick in
            let felt = script.acceleration(at: Instant(millis: tick * 100))
            return MotionSample(instant: Instant(millis: tick * 100 + 7), x: felt.x, y: felt.y, z: felt.z).json.text
                + "\n"
        }.joined()
        func recording() throws -> MergedRecording { try MergedRecording(fixes: fixes, samples: samples) }

        var (items, backward) = (0, 0)
        var last = Instant.zero
        var order = try recording()
        while let item = try order.next() {
            backward += item.instant < last ? 1 : 0
            last = item.instant
            items += 1
        }
        var waited: [Double] = []
        var texts: [String] = []
        for speed in [1.0, 1_000] {
            var now = Instant.zero
            let pace = try #require(ReplayPace(speed: speed, now: now))
            texts.append(
                try RecordingRun(try recording(), wait: { now = max(now, pace.deadline(offsetNanos: $0)) }).csv)
            waited.append(now.seconds(since: .zero))
        }
        let isSame = texts[0] == texts[1] && texts[0].utf8.count > 1_000
        let ok = AcceptanceTable.record(
            "A-17", "mixed trip with samples, merged, at speeds 1 and 1000 on a manual clock",
            "\(backward) of \(items) items out of order; decisions \(isSame ? "the same" : "differ") after "
                + "\(waited[0].brief) and \(waited[1].brief) s",
            limit: "0; the same to the byte",
            passed: isSame && backward == 0 && abs(waited[0] - 1_000 * waited[1]) < 0.001)
        #expect(ok)
    }

    @Test("A-18: a receiver that says nothing for 30 s fails the one-shot and the link, without any waiting")
    func silence() throws {
        let bench = try Bench()
        var answeredAt: Double?
        var code: ErrorCode?
        bench.runtime.requestFix(OneShotRequest(id: 0)) { reply in
            answeredAt = bench.reactor.now.seconds(since: .zero)
            if case .failed(let found, _) = reply { code = found }
        }
        var silentAt: Double?
        for second in 1...40 {
            bench.reactor.advance(to: Instant(millis: Int64(second) * 1_000))
            if silentAt == nil, bench.runtime.receiver.state == .silent { silentAt = Double(second) }
        }
        let ok = AcceptanceTable.record(
            "A-18", "silent receiver on a manual clock",
            "one-shot \(code?.rawValue ?? "not answered") after \(answeredAt?.brief ?? "-") s, link silent after "
                + "\(silentAt?.brief ?? "-") s, by timers of the clock alone",
            limit: "fixTimeout after 30 s of that clock; silent by then",
            passed: code == .fixTimeout && abs((answeredAt ?? 0) - 30) <= 1 && silentAt ?? 99 <= 30)
        #expect(ok)
    }

    @Test("A-19: a stay of ten minutes, killed at minute 2 and started at minute 40, is one dwell at its time")
    func dwell() throws {
        let store = MemoryStore()
        let track = Array(SimulatedTrack(.steady(seconds: 3_600), everyMillis: 1_000, seed: 19))
        let first = try Bench(store)
        let place = track[0].coordinate
        let fence = "\"latitude\":\(place.latitude),\"longitude\":\(place.longitude),\"radiusM\":100"
        let line = "{\"id\":1,\"op\":\"addGeofence\",\"args\":{\"id\":\"depot\",\(fence),\"dwellAfterMs\":600000}}"
        let added = ControlProtocol(runtime: first.runtime).reply(
            to: ControlRequest(
                peer: ControlPeer(userID: 0), line: Array(line.utf8), subscriber: RecordingSubscriber()))
        #expect(added.map { String(decoding: $0, as: UTF8.self).contains("\"ok\":true") } == true)
        first.play(track.prefix(120))
        let entries = first.events.compactMap { if case .geofenceEnter(let crossing) = $0 { crossing } else { nil } }
        let entry = try #require(entries.first).time

        let second = try Bench(store, second: 2_400)
        second.play(track[2_400...])
        let dwells = first.dwells + second.dwells
        let after = dwells.first.map { $0.time.millis - entry.millis }
        let ok = AcceptanceTable.record(
            "A-19", "stay in a fence with 10 min dwell, killed at minute 2, started at minute 40",
            "\(dwells.count) dwell, \((after ?? 0) / 1_000) s after the entry", limit: "1, 600 s",
            passed: dwells.count == 1 && after == 600_000)
        #expect(ok, "\(dwells)")
    }

    /// One drive with one seed: of the causes of a gap it has one, a receiver that says nothing.
    @Test(
        "A-20: twelve minutes of a silent receiver and on again 838 m away is one gap, whose leg is in the odometer only"
    )
    func gap() throws {
        var scenario = TrackScenario("outage")
        scenario.go(.car, headingDeg: 70, [.init(5_000, kmh: 40)], stops: [(atM: 2_400, seconds: 640)])
        let from = try #require((0...600).map(Double.init).first { scenario.distanceM(until: $0) >= 2_000 })
        scenario.faults.append(TrackFault(.silence, from: from, until: from + 720))
        let silent = scenario.distanceM(until: from + 720) - scenario.distanceM(until: from - 1)

        let bench = try Bench()
        bench.play(SimulatedTrack(scenario, everyMillis: 1_000, seed: 20))
        let points = bench.points
        var line = 0.0
        var leg = 0.0
        for (point, next) in zip(points, points.dropFirst()) {
            let metres = Geodesic.distanceM(point.coordinate, next.coordinate)
            if next.gapCause == nil { line += metres } else { leg += metres }
        }
        let odometer = Double(try #require(points.last).odometerMM) / 1_000
        let told = bench.gaps.map { Double($0.distanceMM) / 1_000 }
        let ok = AcceptanceTable.record(
            "A-20", "one drive of 5 km, once 720 s without a fix, on again after \(silent.brief) m",
            "\(told.count) gap told of \((told.first ?? 0).brief) m; odometer \(odometer.brief) m, line "
                + "\(line.brief) m in \(points.count { $0.gapCause != nil } + 1) segments",
            limit: "1 gap, at most 200 m longer; odometer 5000 +- 200 m; line = odometer - gap +- 1 m",
            passed: told.count == 1 && abs(leg - (told.first ?? 0)) < 1 && abs(odometer - line - leg) < 1
                && abs(leg - silent) < 200 && abs(odometer - 5_000) < 200)
        #expect(ok, "\(told) \(leg) \(odometer) \(line)")
    }
}
