import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Plausibility filter")
struct PlausibilityFilterTests {
    private static let frame = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))

    static func fix(_ seconds: Double, east: Double, north: Double = 0, accuracy: Double = 5) -> TrackFix {
        let instant = Instant(nanos: Int64(seconds * 1e9))
        return TrackFix(
            time: UTCTime(millis: 1_777_900_000_000 + Int64(seconds * 1_000)), instant: instant, receivedAt: instant,
            coordinate: frame.position(east: east, north: north), accuracyM: accuracy)
    }

    @Test("One outlier of 2 km among 60 fixes at 3 m/s: exactly one rejection, 177 m kept against 4 171 m raw (A-14)")
    func outlier() {
        var filter = PlausibilityFilter()
        var kept: [TrackFix] = []
        var raw = 0.0
        var last: TrackFix?
        for index in 0..<60 {
            let wrong = index == 30
            let fix = Self.fix(
                Double(index), east: Double(index) * 3, north: wrong ? 2_000 : 0, accuracy: wrong ? 50 : 5)
            if let last { raw += Geodesic.distanceM(last.coordinate, fix.coordinate) }
            last = fix
            if filter.judge(fix) != .implausible { kept.append(fix) }
        }
        let distance = zip(kept, kept.dropFirst()).reduce(0) {
            $0 + Geodesic.distanceM($1.0.coordinate, $1.1.coordinate)
        }
        #expect(kept.count == 59)
        #expect(abs(distance - 177) < 1)
        #expect(abs(raw - 4_171) < 3)
    }

    @Test("The first fix is accepted wherever it is (F-37)")
    func first() {
        var filter = PlausibilityFilter()
        #expect(filter.judge(Self.fix(0, east: 1e6)) == .plausible)
    }

    @Test("Three rejections that agree with each other become the reference; three that do not, do not")
    func reset() {
        var filter = PlausibilityFilter()
        _ = filter.judge(Self.fix(0, east: 0))
        #expect(filter.judge(Self.fix(1, east: 9_000)) == .implausible)
        #expect(filter.judge(Self.fix(2, east: 9_010)) == .implausible)
        #expect(filter.judge(Self.fix(3, east: 9_020)) == .plausibleAfterReset)
        #expect(filter.judge(Self.fix(4, east: 9_030)) == .plausible)

        var scattered = PlausibilityFilter()
        _ = scattered.judge(Self.fix(0, east: 0))
        for index in 1...6 {
            let east = index % 2 == 0 ? 20_000.0 : -20_000
            #expect(scattered.judge(Self.fix(Double(index), east: east)) == .implausible)
        }
    }
}
