import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Tracking gaps")
struct GapTests {
    /// Parked for 100 s, silent until `back`, then fixes at `east`.
    private func afterSilence(
        back: Int, east: Double, _ during: (inout EngineBench) -> Void = { _ in }
    ) -> EngineBench {
        var bench = EngineBench()
        bench.drive(0..<100, from: 0, speed: 10)
        during(&bench)
        bench.drive(back..<(back + 60), from: east, speed: 10)
        return bench
    }

    @Test("Out of an underground car park 800 m on after 12 min: one gap, the odometer credited (E-084, A-20)")
    func carPark() throws {
        let bench = afterSilence(back: 99 + 720, east: 990 + 800)
        let gaps = bench.points.filter { $0.gapCause != nil }
        #expect(gaps.map(\.gapCause) == [.sky])
        let gap = try #require(gaps.first)
        #expect(gap.silenceMillis == 720_000)
        // The stored points are up to 12 s of driving from where the silence began and ended.
        #expect((800_000...930_000).contains(gap.legMM))
        let last = try #require(bench.points.last)
        #expect(abs(Double(last.odometerMM) / 1_000 - 10 * Double(last.fix.instant.millis / 1_000 - 640)) < 10)
    }

    @Test("Ten minutes without sky and back at the same place store nothing and are no gap (E-083, A-09)")
    func samePlace() {
        var bench = EngineBench()
        bench.park(0..<300, at: 0, seed: 11)
        let before = bench.points.count
        bench.park(900..<1_500, at: 0, seed: 12)
        #expect(bench.points.count == before)
        #expect(!bench.points.contains { $0.gapCause != nil })
    }

    @Test("A parked night with a drift of 25 m is no gap (E-085)")
    func night() {
        var bench = EngineBench()
        bench.park(0..<120, at: 0, seed: 13)
        bench.park(43_200..<43_300, at: 25, seed: 14)
        #expect(!bench.points.contains { $0.gapCause != nil })
    }

    @Test("599 s and 260 m, 600 s and 249 m are none; 600 s and 260 m are one (E-086)")
    func bounds() {
        var watch = GapWatch()
        let start = Instant(millis: 0)
        func fix(_ second: Int64) -> TrackFix {
            TrackFix(
                time: UTCTime(millis: second * 1_000), instant: Instant(millis: second * 1_000), receivedAt: start,
                coordinate: Coordinate(latitude: 47, longitude: 8), accuracyM: 5)
        }
        for (silence, metres, expected) in [(599, 260.0, false), (600, 249, false), (600, 260, true)] {
            watch = GapWatch()
            _ = watch.received(fix(0), sinceStored: 0)
            _ = watch.stored(distanceM: nil)
            _ = watch.received(fix(Int64(silence)), sinceStored: 0)
            #expect((watch.stored(distanceM: metres).cause != nil) == expected, "\(silence) s, \(metres) m")
        }
    }

    @Test("The cause is told: receiver, sky, energy saving, the daemon's own absence (E-088)")
    func causes() {
        let silent = afterSilence(back: 800, east: 2_000) { $0.send(.receiverChanged(.silent), second: 110) }
        #expect(silent.points.compactMap(\.gapCause) == [.receiver])
        let saving = afterSilence(back: 800, east: 2_000) {
            $0.send(.receiverPowered(isOn: false), second: 110)
            $0.send(.receiverPowered(isOn: true), second: 799)
        }
        #expect(saving.points.compactMap(\.gapCause) == [.powerSave])
        let before = afterSilence(back: 100, east: 1_000)
        var after = EngineBench(resuming: before.state)
        after.drive(900..<960, from: 3_000, speed: 10)
        #expect(after.points.compactMap(\.gapCause) == [.process])
    }

    @Test("A gap over a reboot is measured by UTC (E-087)")
    func reboot() throws {
        let before = afterSilence(back: 100, east: 1_000)
        var after = EngineBench(resuming: before.state, isSameBoot: false)
        for second in 5..<60 {
            var fix = after.fix(second, east: 5_000 + Double(second) * 10, speed: 10)
            fix.time = fix.time?.advanced(byMillis: 1_000_000)
            after.send(.fixDetermined(fix), second: second)
        }
        let gap = try #require(after.points.first { $0.gapCause != nil })
        #expect(gap.gapCause == .reboot)
        // The state was saved with the decision of 156 s; the new boot's first fix is at 1 005 s of the same count.
        #expect(gap.silenceMillis == 849_000)
        #expect(!after.reasons.contains(.initial))
    }

    @Test("A fix held for recovery does not swallow the silence: the point that is stored tells it")
    func held() throws {
        var bench = EngineBench()
        bench.park(0..<120, at: 0, seed: 15)
        for (second, accuracy) in [(1_000, 38.0), (1_060, 38), (1_120, 10)] {
            bench.send(.fixDetermined(bench.fix(second, east: 300, accuracy: accuracy)), second: second)
        }
        let point = try #require(bench.points.last)
        #expect(point.reason == .recoveryConfirmed && point.gapCause == .sky, "\(bench.reasons.suffix(4))")
        #expect(point.silenceMillis > 870_000)
    }
}
