import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Turn detector")
struct TurnDetectorTests {
    private static let frame = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))

    private static func fix(_ second: Double, heading: Double?, east: Double, north: Double, speed: Double = 9)
        -> TrackFix
    {
        let instant = Instant(nanos: Int64(second * 1e9))
        return TrackFix(
            time: UTCTime(millis: Int64(second * 1_000)), instant: instant, receivedAt: instant,
            coordinate: frame.position(east: east, north: north), accuracyM: 5, speedMps: speed,
            courseDeg: heading.map { Geodesic.normalizedDegrees($0) })
    }

    @Test(
        "Ten straight minutes at 1 Hz with heading noise of 1 to 3 degrees never burst (E-069)", arguments: [1.0, 2, 3])
    func straight(sigma: Double) {
        for seed in 1...100 {
            var random = SeededRandom(seed: UInt64(seed))
            var detector = TurnDetector()
            for second in 0..<600 {
                // Sum of twelve uniforms: a normal deviate.
                let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } * sigma
                let fix = Self.fix(Double(second), heading: 90 + noise, east: Double(second) * 9, north: 0)
                let began = detector.handle(fix)
                #expect(!began, "seed \(seed), second \(second)")
            }
        }
    }

    @Test("A bend of 2.5 degrees a second bursts within 6 s, a corner within 3 s, and the burst holds for 30 s")
    func turns() {
        for (rate, within) in [(2.5, 7.0), (30, 3)] {
            var detector = TurnDetector()
            var (east, north, began) = (0.0, 0.0, -1.0)
            for second in 0..<60 {
                let turned = min(90, max(0, Double(second - 20) * rate))
                let direction = Geodesic.direction(bearingDeg: 90 - turned)
                (east, north) = (east + 9 * direction.east, north + 9 * direction.north)
                if detector.handle(Self.fix(Double(second), heading: 90 - turned, east: east, north: north)) {
                    began = Double(second)
                }
            }
            #expect(began >= 20 && began - 20 <= within, "rate \(rate): \(began)")
            #expect(detector.burstUntil.map { $0.seconds(since: .zero) >= began + 30 } == true)
        }
    }

    @Test("A parked receiver whose heading spins does not burst (E-068)")
    func parked() {
        var detector = TurnDetector()
        for second in 0..<300 {
            let fix = Self.fix(Double(second), heading: Double(second * 40), east: 0, north: 0, speed: 0.2)
            let began = detector.handle(fix)
            #expect(!began)
        }
    }

    @Test("With fixes 12 s apart the pairwise rule holds")
    func sparse() {
        var detector = TurnDetector()
        let began = [(0.0, 90.0, 0.0, 0.0), (12, 100, 108, 0), (24, 130, 200, -50)].map {
            second, heading, east, north in
            detector.handle(Self.fix(second, heading: heading, east: east, north: north))
        }
        #expect(began == [false, false, true])
    }

    @Test("The apex of a corner is the buffered fix farthest from the chord; a straight has none (E-067)")
    func apex() throws {
        var retro = RetroBuffer()
        for second in 0...20 {
            let (east, north) = second <= 10 ? (Double(second) * 9, 0.0) : (90, Double(second - 10) * 9)
            retro.add(Self.fix(Double(second), heading: nil, east: east, north: north))
        }
        let origin = Self.frame.origin
        let past = CaptureState.Anchor(
            time: UTCTime(millis: 0), instant: .zero, latitudeE7: origin.latitudeE7, longitudeE7: origin.longitudeE7,
            accuracyMM: 5_000, speedMMps: 9_000, movement: .moving)
        let apex = try #require(
            retro.apex(from: past, to: Self.fix(20, heading: nil, east: 90, north: 90), beyond: RetroBuffer.worthM))
        #expect(apex.instant == Instant(millis: 10_000))
        retro.clear()
        for second in 0...20 { retro.add(Self.fix(Double(second), heading: nil, east: Double(second) * 9, north: 0)) }
        #expect(
            retro.apex(from: past, to: Self.fix(20, heading: nil, east: 180, north: 0), beyond: RetroBuffer.worthM)
                == nil)
    }
}
