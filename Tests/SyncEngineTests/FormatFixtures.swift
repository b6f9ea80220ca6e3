import Testing
import TrackerModel
import WireText

@testable import SyncEngine

/// Points and bodies of the formats' tests.
enum FormatFixtures {
    /// 13.5 m/s is 48.6 km/h and 26.242 knots.
    static func point(_ number: Int64, battery: Int? = 82) -> TrackPoint {
        TrackPoint(
            id: number, uuid: "u\(number)", sessionID: "s", time: UTCTime(millis: 1_777_900_000_000 + number),
            instant: Instant(millis: number), bootID: "b", localDate: "2026-05-04", timeZone: "Europe/Zurich",
            latitudeE7: 470_000_001, longitudeE7: -80_000_000, accuracyMM: 4_250, altitudeMM: 450_600,
            speedMMps: 13_500, bearingCentideg: 9_050, hasSpeed: true, hasBearing: true, provider: .gnss, isMock: false,
            movement: .moving, acceptReason: .vehicular, odometerMM: 1_234_567, batteryPercent: battery,
            isCharging: nil)
    }

    /// Everything known that may be unknown.
    static var full: TrackPoint {
        var point = point(7)
        point.isCharging = true
        point.activity = .inVehicle
        point.activitySince = UTCTime(millis: 1_777_899_900_000)
        point.isSignificantStop = true
        point.silenceMillis = 725_500
        point.gapCause = .sky
        return point
    }

    /// Nothing known that may be unknown.
    static var bare: TrackPoint {
        var point = point(8, battery: nil)
        point.hasSpeed = false
        point.hasBearing = false
        point.altitudeMM = nil
        point.movement = .steady
        return point
    }

    static func text(_ format: any PayloadFormat, _ points: TrackPoint...) -> String {
        String(decoding: format.body(points, maxBytes: 100_000).bytes, as: UTF8.self)
    }

    static func json(_ format: any PayloadFormat, _ point: TrackPoint) throws -> JSONValue {
        try JSONReader.parse(text(format, point))
    }
}
