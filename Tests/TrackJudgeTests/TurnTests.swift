import Glibc
import TestKit
import Testing
import TrackJudge
import TrackerModel

@Suite("Sharp turns")
struct TurnTests {
    /// 200 m east, then 200 m in a direction turned left by so many degrees.
    private func corner(_ degrees: Double) -> Way {
        var way = Way()
        way.go(east: 200, speedMps: 1)
        let angle = degrees * .pi / 180
        way.go(east: 200 * cos(angle), north: 200 * sin(angle), speedMps: 1)
        return way
    }

    @Test("A right angle cut from 30 m before to 30 m behind is missed by 21.2 m")
    func chord() throws {
        let truth = corner(90)
        let track = [
            truth.point(0, east: 0, north: 0), truth.point(170, east: 170, north: 0),
            truth.point(230, east: 200, north: 30), truth.point(400, east: 200, north: 200),
        ]
        let found = try Judge.judge(track, truth: truth)
        #expect(found.turns.count == 1)
        #expect(found.turns.maxM.isNear(30 / 2.0.squareRoot(), by: 0.05))
        #expect(found.turns.sumM == found.turns.maxM && found.turns.meanM == found.turns.maxM)
    }

    @Test("A line through the corner misses nothing")
    func through() throws {
        let truth = corner(120)
        let found = try Judge.judge(truth.points(every: 20), truth: truth)
        #expect(found.turns.count == 1 && found.turns.maxM.isNear(0))
    }

    @Test("A change of heading of 55° is no sharp turn, of 65° and back on itself is")
    func angles() throws {
        for (degrees, count) in [(55.0, 0), (65, 1), (90, 1), (179, 1)] {
            let truth = corner(degrees)
            #expect(try Judge.judge(truth.points(every: 20), truth: truth).turns.count == count, "\(degrees)°")
        }
    }

    @Test("A quarter circle counts by how tight it is: 60° must fit into 30 m")
    func curves() throws {
        for (radiusM, count) in [(60.0, 0), (35, 0), (20, 1), (8, 1)] {
            var truth = Way()
            truth.go(east: 100, speedMps: 2)
            for step in 1...30 {
                let (from, to) = (Double(step - 1) / 30 * .pi / 2, Double(step) / 30 * .pi / 2)
                truth.go(
                    east: radiusM * (sin(to) - sin(from)), north: radiusM * (cos(from) - cos(to)), speedMps: 2)
            }
            truth.go(north: 100, speedMps: 2)
            #expect(try Judge.judge(truth.points(every: 10), truth: truth).turns.count == count, "\(radiusM) m")
        }
    }

    @Test("Each corner of a zigzag counts once, and mean, maximum and sum go over all")
    func zigzag() throws {
        var truth = Way()
        truth.go(east: 100, speedMps: 1)
        truth.go(north: 100, speedMps: 1)
        truth.go(east: 100, speedMps: 1)
        truth.go(north: 100, speedMps: 1)
        // The first corner is cut from 10 m on either side, the second kept, the third cut from 20 m.
        let track = [
            (0.0, 0.0, 0.0), (90, 90, 0), (110, 100, 10), (200, 100, 100), (280, 180, 100), (320, 200, 120),
            (400, 200, 200),
        ].map { truth.point($0.0, east: $0.1, north: $0.2) }
        let turns = try Judge.judge(track, truth: truth).turns
        #expect(turns.count == 3)
        #expect(turns.maxM.isNear(20 / 2.0.squareRoot(), by: 0.05))
        #expect(turns.sumM.isNear(30 / 2.0.squareRoot(), by: 0.05))
        #expect(try #require(turns.meanM).isNear(10 / 2.0.squareRoot(), by: 0.05))
    }

    @Test("Jitter at rest makes no turns, nor does a hole in the truth")
    func noTurns() throws {
        var random = SeededRandom(seed: 9)
        var truth = Way()
        truth.go(east: 200, speedMps: 2)
        truth.stay(seconds: 1_000, jitterM: 0.05, using: &random)
        truth.go(east: 200, speedMps: 2)
        #expect(try Judge.judge(truth.points(every: 10), truth: truth).turns.count == 0)

        let whole = corner(90)
        let holed = whole.items.filter { !(Way.time(195)...Way.time(206)).contains($0.time) }
        let found = try Judge.judge(
            track: Recording(format: .gpx, positions: whole.points(every: 20)),
            truth: Recording(format: .gpx, positions: holed))
        #expect(found.turns.count == 0)
    }
}
