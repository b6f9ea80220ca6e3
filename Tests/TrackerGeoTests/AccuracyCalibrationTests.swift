import TestKit
import Testing
import TrackerGeo
import TrackerModel

@Suite("Calibration of the accuracy radius")
struct AccuracyCalibrationTests {
    private let frame = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))

    @Test("Gaussian errors with the right radius have 68 % inside and a scale of 1 (A-27)")
    func gaussian() throws {
        var random = SeededRandom(seed: 7)
        var calibration = AccuracyCalibration(truth: [frame.origin])
        let sigma = 4.0
        for _ in 0..<5_000 {
            // Sum of twelve uniforms: normal enough for shares.
            func normal() -> Double {
                (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
            }
            calibration.add(
                frame.position(east: sigma * normal(), north: sigma * normal()), accuracyM: 1.5096 * sigma)
        }
        #expect(abs(try #require(calibration.share(within: 1)) - 0.68) < 0.02)
        #expect(abs(try #require(calibration.scale) - 1) < 0.03)
        #expect(try #require(calibration.share(within: 3)) > 0.99)
    }

    @Test("A radius that promises half too much wants a scale of 2")
    func optimistic() throws {
        var calibration = AccuracyCalibration(truth: [frame.origin])
        for index in 1...100 { calibration.add(frame.position(east: Double(index), north: 0), accuracyM: 34) }
        #expect(abs(try #require(calibration.scale) - 2) < 0.01)
    }

    @Test("Along a surveyed line only the distance across counts, beyond its ends the distance to the end")
    func line() throws {
        let line = [frame.origin, frame.position(east: 1_000, north: 0), frame.position(east: 1_000, north: 500)]
        var calibration = AccuracyCalibration(truth: line)
        for (east, north) in [(500.0, 3.0), (1_004, 250), (-4, 0), (1_000, 503)] {
            calibration.add(frame.position(east: east, north: north), accuracyM: 5)
        }
        #expect(calibration.share(within: 1) == 1)
        #expect(calibration.share(within: 0.5) == 0)
    }

    @Test("Fixes without accuracy count for nothing, and no fixes give no answer")
    func nothing() {
        var calibration = AccuracyCalibration(truth: [frame.origin])
        calibration.add(frame.origin, accuracyM: .nan)
        #expect(calibration.count == 0 && calibration.scale == nil && calibration.share(within: 1) == nil)
    }
}
