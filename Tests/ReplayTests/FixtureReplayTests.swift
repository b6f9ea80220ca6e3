import LinuxIO
import Ports
import Recordings
import TestKit
import Testing
import TrackerEngine
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

@Suite("Fixtures through the whole runtime")
struct FixtureReplayTests {
    /// `verdict reason` of each decision.
    private final class Heard {
        var lines: [String] = []
    }

    private func settings(_ heard: Heard, _ store: any TrackStore) -> Replay.Settings {
        var settings = Replay.Settings(
            log: RecordingLog(), digests: OpenSSLDigests(), calendar: SystemZoneCalendar(zoneID: "UTC"))
        settings.store = store
        settings.onDecision = { decision, _ in
            heard.lines.append("\(decision.instant.nanos) \(decision.verdict.rawValue) \(decision.reason.rawValue)")
        }
        return settings
    }

    /// A drive with a stop and a jump, a fix a second, in steps that a fixture holds exactly.
    private func drive() -> [LocationLine] {
        var latitude = 468_000_000
        return (0..<900).map { second in
            let isDriving = !(300..<600).contains(second)
            if isDriving { latitude += 1_080 }
            let isJump = second == 700
            let fix = TrackFix(
                time: UTCTime(millis: 1_777_878_000_000 + Int64(second) * 1_000),
                instant: Instant(millis: 100_000 + Int64(second) * 1_000), receivedAt: .zero,
                coordinate: Coordinate(latitudeE7: Int32(latitude + (isJump ? 200_000 : 0)), longitudeE7: 71_000_000),
                accuracyM: 4, speedMps: isDriving ? 12 : 0, courseDeg: isDriving ? 0 : nil)
            return LocationLine(fix, bootID: "replay")
        }
    }

    private func recorded() throws -> (fixture: Fixture, decisions: [String]) {
        var config = TrackerConfig()
        config.layers.keepsRawFixes = true
        let store = try SQLiteStore(path: ":memory:", layers: config.layers)
        let heard = Heard()
        let recording = try MergedRecording(locations: [LocationReader(name: "drive", drive())])
        _ = try Replay.run(recording, name: "drive", config: config, settings(heard, store))
        let rows = try store.rawFixes(LayerPage(limit: 10_000)).reversed()
        let fixture = Fixture(
            name: "drive", recordedAt: UTCTime(millis: 0), device: [:], config: ConfigTable.snapshot(config),
            fixes: rows.map { LocationLine($0) })
        return (fixture, heard.lines)
    }

    @Test("What layer 1 keeps of a drive gives, exported and judged again, the same decisions")
    func roundTrip() throws {
        let (fixture, decisions) = try recorded()
        #expect(decisions.count > 40 && fixture.fixes.count == decisions.count)
        let again = try Fixture(fixture.json.bytes, fileName: "drive.json")
        #expect(again.fixes == fixture.fixes && again.expected.isEmpty)
        let heard = Heard()
        let config = try ConfigTable.resolve(snapshot: again.config)
        let judged = try Replay.run(again, config: config, settings(heard, ReplayStore()))
        #expect(heard.lines == decisions)
        #expect(judged.mismatches.isEmpty)
    }

    @Test("What is expected is compared fix by fix, by verdict and reason")
    func expectations() throws {
        var (fixture, _) = try recorded()
        fixture.expected = [
            .init(index: 0, verdict: .accept, reason: .initial), .init(index: 1, verdict: .skip, reason: .initHeld),
        ]
        let judged = try Replay.run(fixture, config: TrackerConfig(), settings(Heard(), ReplayStore()))
        #expect(judged.mismatches.map(\.expected.index) == [1])
        #expect(judged.mismatches.first?.text.hasPrefix("fix 1: expected SKIP Init Held, got ") == true)
    }

    @Test("Without boots a step back of 300 s is a restart, with them the fix is far too late")
    func boots() throws {
        let (fixture, _) = try recorded()
        var late = fixture.fixes[1]
        late.monotonicNanos = 0
        func last(boot: String?) throws -> Substring? {
            var short = fixture
            short.fixes = Array(fixture.fixes.suffix(1)) + [late]
            for index in short.fixes.indices { short.fixes[index].bootID = boot }
            let heard = Heard()
            _ = try Replay.run(short, config: TrackerConfig(), settings(heard, ReplayStore()))
            return heard.lines.last?.split(separator: " ", maxSplits: 1).last
        }
        #expect(try last(boot: "b") == "REJECT Stale Fix")
        #expect(try last(boot: nil) != "REJECT Stale Fix")
    }

    @Test("A snapshot of the configuration holds no credentials and reads back")
    func snapshot() throws {
        var config = TrackerConfig()
        config.uploadURL = "https://a.example/?token=secret"
        config.capture.intervalMillis = 90_000
        let snapshot = ConfigTable.snapshot(config)
        #expect(!JSONValue.object(snapshot).text.contains("secret"))
        #expect(try ConfigTable.resolve(snapshot: snapshot).capture == config.capture)
    }
}
