import DeviceSimulator
import Recordings
import TestKit
import Testing
import TrackerEngine
import TrackerModel
import TrackerRuntime
import WireText

@Suite("Recordings of fixes through the whole runtime")
struct LocationReplayTests {
    private func replay(
        _ text: String, motion: String? = nil, wait: ((Int64) -> Void)? = nil,
        change: (inout TrackerConfig) -> Void = { _ in }
    ) throws -> ReplayResult {
        let merged = try MergedRecording(
            locations: [Made.reader(text)], motion: motion.map { [Made.samples($0)] } ?? [])
        return try ReplayResult(merged, wait: wait, change: change)
    }

    @Test("A recorded drive is judged as the receiver's fixes are, and instants stay those of the recording")
    func drive() throws {
        let result = try replay(Made.drive(seconds: 600, parked: 400))
        #expect(result.count("fixes") == 1_000)
        #expect(result.points.count > 40)
        let metres = try #require(result.report["distanceM"]?.doubleValue)
        #expect((7_000...7_300).contains(metres), "\(metres) m of 7 200 m")
        #expect(result.decisions.last?.instant == Instant(millis: 1_000_000))
        #expect(result.motion.map(\.state) == ["moving", "stopPending", "stationary"])
        #expect(result.report["durationSec"]?.doubleValue == 999)
    }

    @Test("Decisions are byte-identical at speed 1, at speed 1000 and without waiting (A-12, A-17)")
    func speeds() throws {
        let text = Made.drive(seconds: 300, parked: 60)
        let motion = Made.motion(seconds: 360, from: 1_000, isStill: false)
        let fastest = try replay(text, motion: motion)
        #expect(fastest.decisions.count > 20)
        for speed in [1.0, 1_000] {
            let clock = WaitingClock()
            let pace = try #require(ReplayPace(speed: speed, now: clock.now))
            let paced = try replay(text, motion: motion, wait: { clock.wait(until: pace.deadline(offsetNanos: $0)) })
            #expect(paced.csv == fastest.csv)
            // The last fix is 359 s after the first, the last sample 980 ms later.
            #expect(abs(clock.now.seconds(since: WaitingClock.begin) - 359.98 / speed) < 1e-6)
        }
    }

    @Test("A replay that was made before the clock moved on by an hour delivers everything at once (E-237)")
    func movedClock() throws {
        let clock = WaitingClock()
        let pace = try #require(ReplayPace(speed: 1, now: clock.now))
        clock.now = clock.now.advanced(byMillis: 3_600_000)
        let text = Made.drive(seconds: 300)
        let paced = try replay(text, wait: { clock.wait(until: pace.deadline(offsetNanos: $0)) })
        let unpaced = try replay(text)
        #expect(paced.csv == unpaced.csv)
        #expect(clock.waits == 0)
    }

    @Test("A speed must be above zero, and a deadline never overflows")
    func pace() throws {
        for speed in [0, -1, .nan, .infinity] { #expect(ReplayPace(speed: speed, now: .zero) == nil) }
        let pace = try #require(ReplayPace(speed: 1e-9, now: .zero))
        #expect(pace.deadline(offsetNanos: .max) == .never)
        #expect(
            try #require(ReplayPace(speed: 4, now: Instant(millis: 5))).deadline(offsetNanos: 4_000_000).millis == 6)
    }

    @Test("What was stored is a recording again")
    func points() throws {
        let result = try replay(Made.drive(seconds: 300))
        let text = result.points.map { LocationLine($0).json.text + "\n" }.joined()
        var reader = Made.reader(text)
        var read: [LocationLine] = []
        while let line = try reader.next() { read.append(line) }
        #expect(read.map(\.monotonicNanos) == result.points.map { Optional($0.instant.nanos) })
        #expect(read.map(\.coordinate.latitudeE7) == result.points.map(\.latitudeE7))
        #expect(read.map(\.time) == result.points.map(\.time))
    }

    @Test("A jump of 0.02° into a drive is rejected exactly once, and the rest is judged as without it")
    func jump() throws {
        let steady = Made.drive(seconds: 30, metresPerSecond: 1.5)
        var lines = steady.split(separator: "\n").map(String.init)
        let jumped = lines[20].replacing("\"lat\":46.0", with: "\"lat\":46.02")
        #expect(jumped != lines[20])
        lines[20] = jumped
        func all(_ config: inout TrackerConfig) {
            config.capture.intervalMillis = 1_000
            config.capture.vehicularIntervalMillis = 1_000
        }
        let result = try replay(lines.joined(separator: "\n"), change: all)
        let without = try replay(steady, change: all)
        #expect(result.decisions.count { $0.reason == .impossibleSpeed } == 1)
        #expect(without.decisions.count { $0.reason == .impossibleSpeed } == 0)
        #expect(result.decisions.count == without.decisions.count)
    }

    @Test("Samples of a device at rest keep wandering fixes from becoming a track")
    func stillness() throws {
        var text = ""
        for second in 0..<300 {
            let metres = Double(second % 90)
            var fix = TrackFix(
                time: UTCTime(millis: 1_777_878_000_000 + Int64(second) * 1_000),
                instant: Instant(millis: Int64(1_000 + second) * 1_000), receivedAt: .zero,
                coordinate: Coordinate(latitude: 46 + metres / 111_200, longitude: 7), accuracyM: 8)
            fix.speedMps = 0.1
            text += LocationLine(fix, bootID: nil).json.text + "\n"
        }
        let still = try replay(text, motion: Made.motion(seconds: 300, from: 1_000, isStill: true))
        let shaken = try replay(text, motion: Made.motion(seconds: 300, from: 1_000, isStill: false))
        #expect(still.decisions.contains { $0.evidence.flags.contains(.stillVeto) })
        #expect(!shaken.decisions.contains { $0.evidence.flags.contains(.stillVeto) })
        #expect(still.points.count == 1)
    }

    @Test("A recording whose boot changes is a reboot at that fix: the clock starts again, the track goes on by UTC")
    func reboot() throws {
        let before = Made.drive(seconds: 300, from: 5_000, boot: "a")
        // The second boot's clock is near zero; UTC went on for 20 s.
        var after = ""
        var reader = Made.reader(Made.drive(seconds: 200, from: 5_320, boot: "b", start: 46 + 3_840 / 111_200))
        while var line = try reader.next() {
            line.monotonicNanos = (line.monotonicNanos ?? 0) - 5_300_000_000_000
            after += line.json.text + "\n"
        }
        let result = try replay(before + after)
        #expect(result.report["restarts"] == 1)
        #expect(result.decisions.allSatisfy { $0.reason != .outOfOrder && $0.reason != .staleFix })
        let metres = try #require(result.report["distanceM"]?.doubleValue)
        #expect((5_900...6_240).contains(metres), "\(metres) m of 6 240 m less the ends")
    }

    @Test("The rule set of the reference judges the same recording otherwise")
    func ruleSet() throws {
        let text = Made.drive(seconds: 60, metresPerSecond: 1.2)
        let device = try replay(text)
        let reference = try replay(text, change: { $0.capture.pipeline.ruleSet = .reference })
        #expect(device.csv != reference.csv)
    }

    @Test("A line that is damaged ends the replay with its number; what came before was told")
    func damaged() throws {
        let text = Made.drive(seconds: 5) + "{\"lat\":\n" + Made.drive(seconds: 1, from: 1_006)
        var told = 0
        var settings = Replay.Settings(log: RecordingLog(), digests: FakeDigests(), calendar: FakeCalendar())
        settings.onDecision = { _, _ in told += 1 }
        var said = ""
        do {
            _ = try Replay.run(
                try MergedRecording(locations: [Made.reader(text)]), name: "made", config: TrackerConfig(), settings)
        } catch let failure as Replay.Failure { said = failure.text }
        #expect(said == "made, line 6: not a whole JSON object")
        #expect(told == 1)
    }

    @Test("Whatever numbers stand in a recording, it is refused or judged, and nothing traps")
    func wild() throws {
        let seed: UInt64 = 14
        var random = SeededRandom(seed: seed)
        let numbers = [
            "0", "-1", "1e300", "-1e300", "9e15", "4e9", "3.9e9", "1e-300", "90", "180.0000001", "12000", "1e9", "-0.0",
            "4102444800", "9223372036854775807", "-9223372036854775808", "46.5", "7", "0.4999", "null",
        ]
        let keys = ["acc", "alt", "vacc", "sacc", "cacc", "speed", "course", "lat", "lon", "t", "u", "sats", "hdop"]
        var judged = 0
        var settings = Replay.Settings(log: RecordingLog(), digests: FakeDigests(), calendar: FakeCalendar())
        settings.onDecision = { _, _ in judged += 1 }
        for _ in 0..<600 {
            let strange = Int.random(in: 1...4, using: &random)
            var text = ""
            for line in 0..<6 {
                var fields = [
                    "lat": "46.0\(line)", "lon": "7", "acc": "4", "u": "\(100 + line)", "t": "\(1_777_878_000 + line)",
                ]
                if line == strange {
                    let key = keys.randomElement(using: &random) ?? "acc"
                    fields[key] = numbers.randomElement(using: &random) ?? "0"
                }
                text += "{" + fields.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",") + "}\n"
            }
            guard let merged = try? MergedRecording(locations: [Made.reader(text)]) else { continue }
            var config = TrackerConfig()
            config.capture.intervalMillis = 1_000
            _ = try? Replay.run(merged, name: "wild", config: config, settings)
        }
        #expect(judged > 1_000, "seed \(seed)")
    }
}

@Suite("Receiver bytes with an index of times through the whole runtime")
struct IndexedLogReplayTests {
    @Test("Decisions are those of the log without index, at the times of the index")
    func indexed() throws {
        let log = try #require(Journey("walk")).nmea()
        let paced = ReceiverLog(pacing: log, name: "log")
        let index = paced.chunks.map { "\($0.range.lowerBound) \($0.nanos + 77_000_000_000)\n" }.joined()
        let indexed = try ReceiverLog(name: "log", bytes: log, index: Array(index.utf8), indexName: "log.idx")
        let plain = try ReplayResult(try MergedRecording(logs: [paced]))
        let timed = try ReplayResult(try MergedRecording(logs: [indexed]))
        #expect(plain.decisions.count > 5)
        #expect(timed.decisions.map(\.reason) == plain.decisions.map(\.reason))
        #expect(timed.decisions.map { $0.instant.nanos - 77_000_000_000 } == plain.decisions.map(\.instant.nanos))
    }
}

/// A clock that moves only by waiting on it.
private final class WaitingClock {
    static let begin = Instant(millis: 42)
    var now = begin
    var waits = 0

    func wait(until deadline: Instant) {
        guard deadline > now else { return }
        waits += 1
        now = deadline
    }
}
