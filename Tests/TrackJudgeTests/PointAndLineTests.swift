import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackJudge

@Suite("Errors of points and line")
struct PointAndLineTests {
    private func drive(seconds: Int = 600, speedMps: Double = 5, origin: Coordinate? = nil) -> Way {
        var way = origin.map { Way(origin: $0) } ?? Way()
        way.go(east: Double(seconds) * speedMps, speedMps: speedMps)
        return way
    }

    private func values(_ spread: ErrorSpread?) throws -> [Double] { try #require(spread).values.map(\.metres) }

    @Test("A track 7 m beside the truth is off by 7 m in every number, and as long as the truth")
    func offset() throws {
        let truth = drive()
        let found = try Judge.judge(truth.points(every: 10, offNorth: 7), truth: truth)
        #expect(found.points.scored == 61 && found.points.outsideTruth == 0 && found.points.inHoles == 0)
        #expect(found.points.perHour.isNear(366))
        #expect(found.line.seconds == 601 && found.line.secondsWithoutLine == 0)
        for spread in [found.points.errorM, found.line.errorAtTimeM, found.line.distanceM] {
            #expect(try values(spread).allSatisfy { $0.isNear(7) })
        }
        #expect(found.length.errorM.isNear(0, by: 0.1))
        #expect(try #require(found.length.errorPercent).isNear(0))
    }

    @Test("A track that is 4 s late is off by the way of 4 s, but its line lies on the truth")
    func late() throws {
        let truth = drive()
        let found = try Judge.judge(truth.points(every: 10, lateSec: 4), truth: truth)
        #expect(found.points.scored == 60 && found.points.outsideTruth == 1)
        #expect(try values(found.points.errorM).allSatisfy { $0.isNear(20) })
        #expect(try values(found.line.errorAtTimeM).allSatisfy { $0.isNear(20) })
        #expect(found.line.secondsWithoutLine == 4)
        let distance = try #require(found.line.distanceM)
        // Only the last 4 s of the truth are beyond the end of the line.
        #expect(distance.p95.isNear(0) && distance.max.isNear(20))
        #expect(found.length.errorM.isNear(-20, by: 0.1))
    }

    @Test("A line drawn backwards over itself is near the truth, yet wrong at the time")
    func nearButWrong() throws {
        let truth = drive(seconds: 100)
        // Runs ahead to the end at once, comes back, and waits there.
        let track = [
            truth.point(0, east: 0, north: 0), truth.point(1, east: 500, north: 0), truth.point(100, east: 0, north: 0),
        ]
        let found = try Judge.judge(track, truth: truth)
        #expect(try #require(found.line.distanceM).max.isNear(0))
        #expect(try #require(found.line.errorAtTimeM).max.isNear(500, by: 5.1))
    }

    @Test("Percentiles are errors that occurred: the smallest that more than p % do not exceed")
    func percentiles() throws {
        var random = SeededRandom(seed: 3)
        let hundred = try #require(ErrorSpread((0..<100).map(Double.init).shuffled(using: &random)))
        #expect(hundred.values.map(\.metres) == [50, 68, 95, 99, 99])
        let one = try #require(ErrorSpread([4.5]))
        #expect(one.count == 1 && one.values.allSatisfy { $0.metres == 4.5 })
        #expect(ErrorSpread([]) == nil)
    }

    @Test("The truth is interpolated over 10 s and not over more; what has no truth is counted and not scored")
    func holes() throws {
        let way = Way()
        let truth = Recording(
            format: .csv,
            positions: [
                way.point(0, east: 0, north: 0), way.point(10, east: 100, north: 0), way.point(21, east: 200, north: 0),
                way.point(31, east: 300, north: 0),
            ])
        let track = [-1, 5, 10, 15, 21, 26, 32].map { way.point($0, east: 50, north: 0) }
        let found = try Judge.judge(track: Recording(format: .csv, positions: track), truth: truth)
        #expect(found.points.outsideTruth == 2)
        #expect(found.points.inHoles == 1)
        #expect(found.points.scored == 4)
        // At 5, 10, 21 and 26 s the truth is at 50, 100, 200 and 250 m.
        #expect(try #require(found.points.errorM).p50.isNear(150))
        #expect(try #require(found.points.errorM).max.isNear(200))
        // 0 to 10 and 21 to 31.
        #expect(found.line.seconds == 22)
    }

    @Test("Whole seconds are scored whatever the truth's own times are")
    func fractions() throws {
        let way = Way()
        let truth = (0...40).map { way.point(0.4 + Double($0) * 0.25, east: Double($0), north: 0) }
        let found = try Judge.judge(
            track: Recording(format: .csv, positions: [way.point(2, east: 6.4, north: 0)]),
            truth: Recording(format: .csv, positions: truth))
        // 0.4 to 10.4 s: the seconds 1 to 10.
        #expect(found.line.seconds == 10 && found.line.secondsWithoutLine == 9)
        #expect(try #require(found.points.errorM).max.isNear(0))
        #expect(try #require(found.line.errorAtTimeM).max.isNear(0))
    }

    @Test("Across the antimeridian nothing changes")
    func antimeridian() throws {
        let truth = drive(origin: Coordinate(latitude: -17, longitude: 179.99))
        #expect(try #require(truth.items.last).position.longitude < -179)
        let found = try Judge.judge(truth.points(every: 10, offNorth: 7), truth: truth)
        for spread in [found.points.errorM, found.line.errorAtTimeM, found.line.distanceM] {
            #expect(try values(spread).allSatisfy { $0.isNear(7) })
        }
    }

    @Test("The line is cut at the truth's first and last time")
    func clipped() throws {
        let truth = drive(seconds: 100)
        let track = [
            truth.point(-50, east: -1_000, north: 0), truth.point(50, east: 250, north: 0),
            truth.point(150, east: 1_250, north: 0),
        ]
        let found = try Judge.judge(track, truth: truth)
        // From -375 m at 0 s to 750 m at 100 s.
        #expect(found.length.trackM.isNear(1_125, by: 0.1) && found.length.truthM.isNear(500, by: 0.1))
        #expect(found.line.secondsWithoutLine == 0 && found.points.scored == 1 && found.points.outsideTruth == 2)
    }

    @Test("The nearest part of a line is found wherever it is", arguments: 1...6)
    func nearest(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let origin = Coordinate(latitude: [47.0, -60, 0.5][Int(seed % 3)], longitude: seed % 2 == 0 ? 8 : -179.999)
        let way = Way(origin: origin)
        var (east, north) = (0.0, 0.0)
        let points = (0..<150).map { index in
            east += Double.random(in: -90...100, using: &random)
            north += Double.random(in: -100...95, using: &random)
            return way.point(Double(index), east: east, north: north)
        }
        let span = TimeSpan(from: Way.time(0), to: Way.time(149))
        let line = try #require(DrawnLine(through: points, during: span))
        for _ in 0..<20 {
            let place = way.frame.position(
                east: Double.random(in: -500...1_000, using: &random),
                north: Double.random(in: -1_000...500, using: &random))
            let found = line.distanceM(to: place, near: Way.time(Double.random(in: -10...160, using: &random)))
            let frame = LocalFrame(origin: place)
            var nearest = Double.infinity
            for (from, to) in zip(points, points.dropFirst()) {
                for step in 0...50 {
                    let (x, y) = frame.offset(of: from.position.moved(towards: to.position, by: Double(step) / 50))
                    nearest = min(nearest, (x * x + y * y).squareRoot())
                }
            }
            // A step is at most 2.9 m, so the nearest of them is at most 1.5 m along the line from the nearest place.
            #expect(found <= nearest + 0.05 && found >= nearest - 1.5, "seed \(seed): \(found), sampled \(nearest)")
        }
    }

    @Test("Recordings of different times are refused with both times")
    func noOverlap() {
        let truth = drive(seconds: 10)
        #expect {
            try Judge.judge([truth.point(11, east: 0, north: 0)], truth: truth)
        } throws: { error in
            let cause = (error as? JudgeFailure)?.cause ?? ""
            return cause.contains("2026-05-04T07:00:11.000Z") && cause.contains("2026-05-04T07:00:10.000Z")
        }
    }

    @Test("One position, or several of one time, are no truth")
    func noTruth() {
        let way = Way()
        let once = [way.point(0, east: 0, north: 0), way.point(0, east: 9, north: 0)]
        #expect(throws: JudgeFailure.self) {
            try Judge.judge(
                track: Recording(format: .gpx, positions: once), truth: Recording(format: .gpx, positions: once))
        }
    }
}
