import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Fences: entering and leaving")
struct FenceDecisionTests {
    /// One row of the decision table: fixes a second apart, metres from the centre of a circle of 100 m.
    struct Row: Sendable {
        var name: String
        var distances: [Double]
        var accuracyM = 5.0
        var crossings: [FenceCrossing.Kind]
    }

    /// The receiver reports 3 m/s, so that movement is what explains a change.
    static let rows: [Row] = [
        Row(name: "first fix inside", distances: [99.99], crossings: [.enter]),
        Row(name: "first fix outside", distances: [100.01], crossings: []),
        Row(name: "in by one fix: d = r - m", distances: [103, 94.99], crossings: [.enter]),
        Row(name: "not in by one fix: d > r - m", distances: [103, 96, 103], crossings: []),
        Row(name: "in by two fixes: d = r", distances: [103, 99.99, 99.99], crossings: [.enter]),
        Row(name: "two fixes that do not follow each other", distances: [103, 99, 101, 99, 101], crossings: []),
        Row(
            name: "the margin is half the radius at most", distances: [140, 49.99], accuracyM: 90, crossings: [.enter]),
        Row(name: "out by one fix: d = r + 10", distances: [98, 110.01], crossings: [.enter, .exit]),
        Row(name: "not out by one fix: d < r + 10", distances: [98, 109.9], crossings: [.enter]),
        Row(name: "out by one fix: d = r + m", distances: [98, 120.01], accuracyM: 20, crossings: [.enter, .exit]),
        Row(name: "not out by one: d < r + m", distances: [98, 119, 98], accuracyM: 20, crossings: [.enter]),
        Row(name: "out by two: d > r + 10", distances: [98, 110.1, 110.1], accuracyM: 20, crossings: [.enter, .exit]),
        Row(
            name: "not out by two: d = r + 10", distances: [98, 109.9, 109.9, 109.9], accuracyM: 20, crossings: [.enter]
        ),
        Row(name: "accuracy above the radius decides nothing", distances: [0, 0], accuracyM: 101, crossings: []),
        Row(name: "as accurate as the radius decides", distances: [0], accuracyM: 100, crossings: [.enter]),
    ]

    @Test("The decision table holds, row by row", arguments: rows)
    func table(row: Row) {
        var bench = FenceBench()
        bench.arm(bench.fence())
        for distance in row.distances {
            bench.fix(east: distance, accuracyM: row.accuracyM, speedMps: 3)
            bench.advance(1)
        }
        #expect(bench.kinds == row.crossings, "\(row.name)")
    }

    @Test("Of a small circle, fixes up to 50 m of accuracy decide and up to 30 m decide first")
    func smallCircle() {
        var bench = FenceBench()
        bench.arm(bench.fence(radiusM: 20))
        bench.fix(east: 0, accuracyM: 31, speedMps: 3)
        #expect(bench.kinds.isEmpty)
        bench.advance(1)
        bench.fix(east: 0, accuracyM: 30, speedMps: 3)
        #expect(bench.kinds == [.enter])
        bench.advance(1)
        bench.fix(east: 200, accuracyM: 51, speedMps: 150)
        #expect(bench.kinds == [.enter])
        bench.advance(1)
        bench.fix(east: 200, accuracyM: 50, speedMps: 150)
        #expect(bench.kinds == [.enter, .exit])
    }

    @Test("Two fixes confirm each other a second apart by either clock, also at 10 Hz")
    func tenHertz() {
        var bench = FenceBench()
        bench.arm(bench.fence())
        bench.fix(east: 103, speedMps: 3)
        for index in 1...12 {
            bench.advance(0.1)
            bench.fix(east: 99, speedMps: 3)
            #expect(bench.kinds.isEmpty == (index <= 10), "fix \(index)")
        }
    }

    @Test("A single fix 200 m off, however accurate it claims to be, is no exit (F-44)")
    func outlier() {
        for spacing in [1.0, 2, 4, 10] {
            var bench = FenceBench()
            bench.arm(bench.fence(radiusM: 50))
            for distance in [8.0, 200, 10, 198, 10] {
                bench.fix(east: distance, accuracyM: 2, speedMps: 0.2)
                bench.advance(spacing)
            }
            #expect(bench.kinds == [.enter], "\(spacing) s")
        }
    }

    @Test("A jump that lasts is believed at its second fix")
    func lastingJump() {
        var bench = FenceBench()
        bench.arm(bench.fence(radiusM: 50))
        for distance in [8.0, 200, 201] {
            bench.fix(east: distance, accuracyM: 2, speedMps: 0.2)
            bench.advance(1)
        }
        #expect(bench.kinds == [.enter, .exit])
    }

    struct Scatter: Sendable, CustomStringConvertible {
        var accuracyM: Double
        var isNormal: Bool
        var speeds: ClosedRange<Double>?
        var description: String { "accuracy \(accuracyM), normal \(isNormal), speeds \(String(describing: speeds))" }
    }

    static let scatters: [Scatter] = [
        Scatter(accuracyM: 3, isNormal: false, speeds: 0...0.5), Scatter(accuracyM: 10, isNormal: false, speeds: nil),
        Scatter(accuracyM: 20, isNormal: false, speeds: 0.6...1.9), Scatter(accuracyM: 15, isNormal: true, speeds: nil),
        Scatter(accuracyM: 15, isNormal: true, speeds: 0...0.5),
    ]

    @Test(
        "Two hours on the line with ± 20 m, or with normal errors of the stated accuracy, are one entry (E-160)",
        arguments: scatters)
    func jitter(scatter: Scatter) {
        for seed in UInt64(1)...4 {
            var random = SeededRandom(seed: seed)
            var bench = FenceBench()
            bench.arm(bench.fence(radiusM: 100))
            for _ in 0..<7_200 {
                var (east, north) = (100.0, 0.0)
                if scatter.isNormal {
                    // 68 % of a circular normal error lie within 1.51 σ.
                    let sigma = scatter.accuracyM / 1.51
                    east += sigma * normal(&random)
                    north += sigma * normal(&random)
                } else {
                    east += Double.random(in: -20...20, using: &random)
                }
                let speed = scatter.speeds.map { Double.random(in: $0, using: &random) }
                bench.fix(east: east, north: north, accuracyM: scatter.accuracyM, speedMps: speed)
                bench.advance(1)
            }
            #expect(bench.kinds == [.enter], "seed \(seed)")
        }
    }

    /// The sum of twelve uniform numbers less 6: normal enough, and without libm.
    private func normal(_ random: inout SeededRandom) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }

    @Test("Who goes in and out on foot, without a speed from the receiver, is seen to")
    func onFoot() {
        var bench = FenceBench()
        bench.arm(bench.fence())
        for step in 0..<400 {
            let seconds = Double(step)
            let east = step < 200 ? 150 - seconds * 1.4 : -130 + (seconds - 200) * 1.4
            bench.fix(east: east)
            bench.advance(1)
        }
        #expect(bench.kinds == [.enter, .exit, .enter, .exit], "through and back")
    }

    @Test("Fixes that are mock under 'reject', stale, without time or out of order decide nothing")
    func invalidFixes() {
        var bench = FenceBench(mockPolicy: .reject)
        bench.arm(bench.fence())
        bench.fix(east: 0, isMock: true)
        let place = FenceBench.centre
        let old = Instant(millis: bench.now.millis - 60_001 + 50_000)
        bench.advance(50)
        let stale = TrackFix(time: bench.utc, instant: old, receivedAt: old, coordinate: place, accuracyM: 5)
        bench.step(.fixDetermined(stale))
        var timeless = TrackFix(time: nil, instant: bench.now, receivedAt: bench.now, coordinate: place, accuracyM: 5)
        bench.step(.fixDetermined(timeless))
        timeless.time = bench.utc
        timeless.accuracyM = .nan
        bench.step(.fixDetermined(timeless))
        timeless.accuracyM = 5
        timeless.coordinate = Coordinate(latitude: .nan, longitude: 8)
        bench.step(.fixDetermined(timeless))
        #expect(bench.kinds.isEmpty)
        bench.fix(east: 500)
        timeless.coordinate = place
        bench.step(.fixDetermined(timeless))
        #expect(bench.kinds.isEmpty, "not newer than the last")
        bench.advance(1)
        bench.fix(east: 0, isMock: true)
        #expect(bench.kinds.isEmpty)
        var allowing = FenceBench(mockPolicy: .allow)
        allowing.arm(allowing.fence())
        allowing.fix(east: 0, isMock: true)
        #expect(allowing.kinds == [.enter])
    }
}
