import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Capture by geometry")
struct GeometryCaptureTests {
    private static var config: CaptureConfig {
        var config = CaptureConfig()
        config.rule = .geometry
        return config
    }

    /// East for `legM`, then north, at a speed, with noise of a seed.
    private func corner(_ config: CaptureConfig, legM: Double = 1_400, speed: Double = 14, seed: UInt64 = 1)
        -> EngineBench
    {
        var bench = EngineBench(config)
        var random = SeededRandom(seed: seed)
        for second in 0..<Int(2 * legM / speed) {
            let way = Double(second) * speed
            let isNorth = way > legM
            var fix = bench.fix(
                second, east: min(way, legM) + Double.random(in: -3...3, using: &random),
                north: max(0, way - legM) + Double.random(in: -3...3, using: &random), speed: speed)
            fix.courseDeg = isNorth ? 0 : 90
            bench.send(.fixDetermined(fix), second: second)
        }
        return bench
    }

    /// Metres from the corner to the nearest stored point.
    private func apexError(_ bench: EngineBench, legM: Double = 1_400) -> Double {
        let apex = bench.fix(0, east: legM).coordinate
        return bench.points.map { Geodesic.distanceM($0.fix.coordinate, apex) }.min() ?? .infinity
    }

    @Test("A corner has a point within 15 m of it, and the straights one a minute", arguments: 1...20)
    func corner(seed: Int) {
        let bench = corner(Self.config, seed: UInt64(seed))
        #expect(apexError(bench) < 15, "seed \(seed)")
        #expect((4...6).contains(bench.points.count), "seed \(seed): \(bench.points.count) points")
    }

    @Test("A single spike draws no corner", arguments: [60.0, 400, 2_000])
    func spike(metres: Double) {
        var bench = EngineBench(Self.config)
        for second in 0..<200 {
            let off = second == 100 ? metres : 0
            let fix = bench.fix(second, east: Double(second) * 14, north: off, speed: 14)
            bench.send(.fixDetermined(fix), second: second)
        }
        let worst = bench.points.map { abs($0.fix.coordinate.latitude - 47) * 111_194 }.max() ?? 0
        #expect(worst < 5)
    }

    @Test("A stop is noticed as soon as at the interval's cadence")
    func stop() throws {
        var bench = EngineBench(Self.config)
        bench.drive(0..<300, from: 0, speed: 14)
        bench.park(300..<900, at: 4_186, seed: 5)
        let pending = try #require(bench.transitions.first { $0.state == .stopPending })
        #expect((300...330).contains(pending.second))
        #expect(bench.transitions.last?.state == .stationary)
    }

    @Test("At rest, saving energy, and after a reboot it is the interval's rule")
    func otherwise() {
        var parked = EngineBench(Self.config)
        parked.park(0..<3_600, at: 0, seed: 6)
        #expect(parked.points.count == 1)
        var saving = EngineBench(Self.config)
        saving.send(.powerTierChanged(.saver), second: 80)
        // A staircase: every tread would be a corner.
        for second in 100..<400 {
            let step = Double(second / 20)
            let fix = saving.fix(second, east: step * 140, north: Double(second % 20) * 14, speed: 14)
            saving.send(.fixDetermined(fix), second: second)
        }
        #expect(saving.engine.cadence.tier == .vehicular)
        #expect(saving.commits.count <= 300 / 24 + 2, "\(saving.commits.count)")
    }
}
