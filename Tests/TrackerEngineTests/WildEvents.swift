import TestKit
import TrackerModel

@testable import TrackerEngine

/// Events in any order, of a seed: fixes that mostly go on from one another, and everything else between. The first
/// opens a session.
struct WildEvents {
    private var random: SeededRandom
    /// With numbers that no receiver gives.
    private let isWild: Bool
    private var now = Instant(millis: 1_000_000)
    private var latitude = 47.0
    private var longitude = 8.0
    private var isBegun = false

    init(seed: UInt64, isWild: Bool) {
        random = SeededRandom(seed: seed)
        self.isWild = isWild
        if isWild,
            let place = [(47.0, 8.0), (89.9999, 10), (-90, 0), (-17, 179.9999), (0, 0)].randomElement(using: &random)
        {
            (latitude, longitude) = place
        }
    }

    mutating func next() -> (event: CaptureEvent, now: Instant) {
        guard isBegun else {
            isBegun = true
            return (.sessionOpened(resumed: nil, isSameBoot: true), now)
        }
        passTime()
        return (Int.random(in: 0..<10, using: &random) < 7 ? fixEvent() : otherEvent(), now)
    }

    private mutating func passTime() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<80: now = now.advanced(byMillis: 1_000)
        case 80..<90: break
        case 90..<97: now = now.advanced(byMillis: Int64.random(in: 0...900_000, using: &random))
        default:
            guard isWild else { return }
            let strange = [0, 1, -1, Int64.max, Int64.min, Int64.max / 2, now.nanos &- 5_000_000_000]
            now = Instant(nanos: strange.randomElement(using: &random) ?? 0)
        }
    }

    private mutating func fixEvent() -> CaptureEvent {
        latitude = min(90, max(-90, latitude + Double.random(in: -2e-4...2e-4, using: &random)))
        longitude += Double.random(in: -2e-4...2e-4, using: &random)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        var fix = TrackFix(
            time: UTCTime(millis: 1_777_900_000_000).advanced(byMillis: now.millis), instant: now, receivedAt: now,
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            accuracyM: Double.random(in: 2...40, using: &random))
        if Bool.random(using: &random) { fix.speedMps = Double.random(in: 0...30, using: &random) }
        if Bool.random(using: &random) { fix.courseDeg = Double.random(in: 0..<360, using: &random) }
        if Bool.random(using: &random) { fix.speedAccuracyMps = Double.random(in: 0.1...5, using: &random) }
        if isWild, Int.random(in: 0..<4, using: &random) == 0 { spoil(&fix) }
        return Int.random(in: 0..<8, using: &random) == 0 ? .fixOffered(fix) : .fixDetermined(fix)
    }

    private mutating func number() -> Double {
        let numbers: [Double] = [
            .nan, .infinity, -.infinity, 0, -0.0, -1, 1e-300, 1e300, -1e300, 9.3e15, 1e19, 360, 720, -90, 180,
            .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ]
        return numbers.randomElement(using: &random) ?? 0
    }

    private mutating func spoil(_ fix: inout TrackFix) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: fix.coordinate.latitude = number()
        case 1: fix.coordinate.longitude = number()
        case 2: fix.accuracyM = number()
        case 3: fix.speedMps = number()
        case 4: fix.courseDeg = number()
        case 5: fix.speedAccuracyMps = number()
        case 6: fix.courseAccuracyDeg = number()
        case 7: fix.time = nil
        case 8: fix.time = UTCTime(millis: [Int64.max, Int64.min, 0, -1].randomElement(using: &random) ?? 0)
        case 9:
            fix.instant = Instant(nanos: [Int64.max, Int64.min, 0, now.nanos &- 1].randomElement(using: &random) ?? 0)
        case 10: fix.isMock = true
        default:
            fix.coordinate = Coordinate(
                latitude: [90, -90, 0, 89.99999].randomElement(using: &random) ?? 0,
                longitude: [180, -180, 0, 179.99999].randomElement(using: &random) ?? 0)
        }
    }

    private mutating func otherEvent() -> CaptureEvent {
        let earlier = now.advanced(byMillis: -Int64.random(in: 0...20_000, using: &random))
        let value = isWild && Bool.random(using: &random) ? number() : Double.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<18, using: &random) {
        case 0: return .sessionClosed
        case 1, 2: return .sessionOpened(resumed: nil, isSameBoot: Bool.random(using: &random))
        case 3: return .rebooted
        case 4:
            return .oneShotRequested(
                OneShotRequest(
                    id: Int64.random(in: 0...9, using: &random), accuracyM: value,
                    timeoutMillis: Int64.random(in: 0...60_000, using: &random),
                    feedsTrack: Bool.random(using: &random)))
        case 5: return .receiverChanged([.off, .silent, .noFix, .fix2D, .fix3D].randomElement(using: &random) ?? .off)
        case 6: return .receiverPowered(isOn: Bool.random(using: &random))
        case 7: return .receiverReset
        case 8:
            let isStill = Bool.random(using: &random)
            return .stillnessRead(
                StillnessReading(
                    instant: now, rmsG: value, stillSince: isStill ? earlier : nil, shakenSince: isStill ? nil : earlier
                ))
        case 9: return .stillnessLost
        case 10:
            return .stepsCounted(
                StepReading(instant: now, since: earlier, total: Int.random(in: 0...400, using: &random)))
        case 11, 12:
            return .activityLabelled(
                ActivityLabel(
                    activity: Activity.allCases.randomElement(using: &random) ?? .unknown,
                    confidence: [0, 33, 66, 100].randomElement(using: &random) ?? 0, since: earlier))
        case 13: return .verticalSpeedRead(value)
        case 14: return .paceChanged(isMoving: Bool.random(using: &random))
        case 15: return .healthChecked
        case 16: return Bool.random(using: &random) ? .stationaryFenceLeft : .timerFired
        default:
            return .powerTierChanged(PowerTier.allCases.randomElement(using: &random) ?? .normal)
        }
    }
}
