import TestKit
import Testing
import TrackJudge
import TrackerModel

@Suite("Length, standstills, missed movement and gaps")
struct MovementTests {
    private func driveAndStand(
        seconds: Int64, jitterM: Double = 0.02, seed: UInt64 = 1
    ) -> Way {
        var random = SeededRandom(seed: seed)
        var way = Way()
        way.go(east: 1_000, speedMps: 10)
        way.stay(seconds: seconds, jitterM: jitterM, using: &random)
        way.go(north: 1_000, speedMps: 10)
        return way
    }

    @Test("An hour of jitter at rest adds nothing to the truth's length")
    func jitter() throws {
        let truth = driveAndStand(seconds: 3_600)
        let found = try Judge.judge(truth.points(every: 10), truth: truth)
        #expect(found.length.truthM.isNear(2_000, by: 1))
        // The points show it every 10 s: that is the track's error.
        #expect(found.length.trackM > found.length.truthM + 3)
        #expect(found.still.intervals == 1)
        #expect(abs(found.still.millis - 3_600_000) < 2_000)
    }

    @Test("A stop counts as a standstill from 60 s on")
    func minute() throws {
        for (seconds, intervals) in [(55, 0), (60, 1), (61, 1)] {
            let truth = driveAndStand(seconds: Int64(seconds), jitterM: 0)
            #expect(try Judge.judge(truth.points(every: 10), truth: truth).still.intervals == intervals)
        }
    }

    @Test("Creeping on by 4 m every half minute is no standstill")
    func creeping() throws {
        var truth = Way()
        for _ in 0..<10 {
            truth.go(east: 4, speedMps: 2)
            truth.stay(seconds: 28)
        }
        #expect(try Judge.judge(truth.points(every: 10), truth: truth).still.intervals == 0)
    }

    @Test("Points that scatter within their accuracy are no false movement")
    func scatter() throws {
        let truth = driveAndStand(seconds: 300)
        let track = stride(from: 0.0, through: 500, by: 10).map { second in
            let east = second <= 100 ? second * 10 : 1_000 + (Int(second) % 20 == 0 ? 2 : -2)
            return truth.point(second, east: east, north: max(0, (second - 400) * 10), accuracyM: 5)
        }
        let found = try Judge.judge(track, truth: truth)
        #expect(found.still.intervals == 1 && found.still.falseIntervals == 0 && found.still.falseMovementM == 0)
    }

    @Test("A trip of the track during a standstill counts there and back, a slow drift as a whole")
    func falseMovement() throws {
        let truth = driveAndStand(seconds: 600)
        let away = [(120.0, 1_000.0), (200, 1_000), (210, 1_040), (220, 1_000), (300, 1_001)]
        let jump = try Judge.judge(
            away.map { truth.point($0.0, east: $0.1, north: 0, accuracyM: 8) }, truth: truth)
        #expect(jump.still.falseIntervals == 1 && jump.still.falseMovementM.isNear(80))
        // 2 m every 10 s, with an accuracy of 5 m: 6 m each time.
        let drift = (0..<31).map {
            truth.point(120 + Double($0) * 10, east: 1_000 + Double($0) * 2, north: 0, accuracyM: 5)
        }
        #expect(try Judge.judge(drift, truth: truth).still.falseMovementM.isNear(60))
    }

    @Test("The last move into a standstill is none of it, and a point without accuracy may be 10 m off")
    func realMoves() throws {
        let truth = driveAndStand(seconds: 600)
        let track = [(90.0, 900.0), (130, 1_000), (140, 1_009), (150, 1_000)]
        let found = try Judge.judge(track.map { truth.point($0.0, east: $0.1, north: 0) }, truth: truth)
        #expect(found.still.falseMovementM == 0)
    }

    @Test("A drive that goes unseen for 200 s is one missed movement; at the usual pace there is none")
    func missedMoves() throws {
        var truth = Way()
        truth.go(east: 6_000, speedMps: 10)
        let all = truth.points(every: 12)
        let whole = try Judge.judge(all, truth: truth)
        #expect(whole.missedMoves.count == 0 && whole.gaps.count == 0)
        let cut = all.filter { !(Way.time(205)...Way.time(400)).contains($0.time) }
        let found = try Judge.judge(cut, truth: truth)
        #expect(found.missedMoves.count == 1)
        // From 204 to 408 s.
        #expect(found.missedMoves.millis == 204_000 && found.missedMoves.truthM.isNear(2_040, by: 10.1))
        #expect(found.missedTrips.count == 0 && found.gaps.count == 0)
    }

    @Test("A first and a last point that come too late are missed movement too")
    func ends() throws {
        var truth = Way()
        truth.go(east: 3_000, speedMps: 10)
        let middle = truth.points(every: 12).filter { (Way.time(100)...Way.time(200)).contains($0.time) }
        #expect(try Judge.judge(middle, truth: truth).missedMoves.count == 2)
    }

    @Test("A walker with a point a minute misses nothing: within 60 s after 100 m there is one")
    func walker() throws {
        var truth = Way()
        truth.go(east: 1_400, speedMps: 1.4)
        #expect(try Judge.judge(truth.points(every: 60), truth: truth).missedMoves.count == 0)
    }

    @Test("A trip of 90 s between two stops without any point is a missed trip")
    func missedTrips() throws {
        var truth = Way()
        truth.stay(seconds: 120)
        truth.go(east: 90, speedMps: 1)
        truth.stay(seconds: 120)
        let stops = [truth.point(60, east: 0, north: 0), truth.point(270, east: 90, north: 0)]
        let missed = try Judge.judge(stops, truth: truth)
        #expect(missed.missedTrips.count == 1 && missed.missedTrips.truthM.isNear(90, by: 4))
        #expect(missed.missedMoves.count == 0)
        let seen = try Judge.judge(stops + [truth.point(150, east: 30, north: 0)], truth: truth)
        #expect(seen.missedTrips.count == 0)
    }

    @Test("No point for more than 10 min is a gap when the truth moves 250 m in it")
    func gaps() throws {
        for (seconds, metres, count) in [(700, 300.0, 1), (700, 200, 0), (590, 300, 0)] {
            var truth = Way()
            truth.go(east: metres, speedMps: 5)
            truth.stay(seconds: Int64(seconds) - truth.second)
            let ends = [truth.point(0, east: 0, north: 0), truth.point(Double(seconds), east: metres, north: 0)]
            let found = try Judge.judge(ends, truth: truth)
            #expect(found.gaps.count == count, "\(seconds) s, \(metres) m")
            if count > 0 { #expect(found.gaps.millis == 700_000 && found.gaps.truthM.isNear(300, by: 5.1)) }
        }
    }
}
