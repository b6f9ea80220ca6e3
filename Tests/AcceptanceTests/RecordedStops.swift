import Recordings
import TestKit
import TrackerModel
import WireText

/// A recorded way whose stops are known from the measured speed: fixes and samples as lines, and the stops on the boot
/// clock of the recording.
struct RecordedStops {
    /// Slower is standing; a stop shorter than this is none.
    private static let standingMps = 0.3
    private static let leastMillis: Int64 = 12_000
    private static let g = 9.80665

    private(set) var fixes = ""
    private(set) var samples = ""
    private(set) var stops: [ClosedRange<Instant>] = []
    private var standingSince: Instant?
    private var last: Instant?

    /// A car with an accelerometer, from a log of both on one clock. Its dates are right; each second is told twice or
    /// three times at the start, of which the last counts.
    static func rpiCar() -> Self? {
        guard let text = SharedData.text("accel/rpi-car/20160209_RPi_Regensburg.part1.log") else { return nil }
        var stops = Self()
        var time: UTCTime?
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { field in
                String(field.drop { $0 == " " })
            }
            guard fields.count > 8, let millis = Int64(fields[3]) else { continue }
            let instant = Instant(millis: millis)
            let numbers = fields.map { Double($0) }
            switch fields[2] {
            case "$GVSNSACC":
                guard let x = numbers[4], let y = numbers[5], let z = numbers[6] else { continue }
                stops.samples += MotionSample(instant: instant, x: x / g, y: y / g, z: z / g).json.text + "\n"
            case "$GVGNSTIM":
                let parts = fields[4...9].compactMap { Int($0) }
                guard parts.count == 6 else { continue }
                time =
                    CivilTime(
                        year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4],
                        second: parts[5]
                    ).utc
            case "$GVGNSPOS":
                // Two sigmas say 0 until there is a position; a course that is not known is 0.
                guard fields.count > 20, let time, let latitude = numbers[4], let longitude = numbers[5],
                    let speed = numbers[8], let sigma = numbers[17], sigma > 0
                else { continue }
                var fix = TrackFix(
                    time: time, instant: instant, receivedAt: instant,
                    coordinate: Coordinate(latitude: latitude, longitude: longitude), accuracyM: sigma * 1.5096)
                fix.speedMps = speed
                fix.courseDeg = speed >= 0.8 ? numbers[10] : nil
                stops.add(fix)
            default: continue
            }
        }
        return stops
    }

    /// A pocket logger: still, then a walk with many stops, then still. It tells no accuracy; 10 m is what such a logger
    /// reaches under trees. Waypoints (`C`) repeat a line.
    static func columbus() -> Self? {
        guard let text = SharedData.text("tracks/gpx/columbus-24173415.csv") else { return nil }
        var stops = Self()
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ",").map(String.init)
            guard fields.count >= 9, fields[1] == "T", let clock = Int(fields[3]), let speed = Double(fields[7]),
                let latitude = Double(fields[4].dropLast()), let longitude = Double(fields[5].dropLast())
            else { continue }
            let second = (clock / 10_000 * 60 + clock / 100 % 100) * 60 + clock % 100
            let instant = Instant(millis: Int64(second) * 1_000)
            var fix = TrackFix(
                time: CivilTime(year: 2025, month: 7, day: 24).utc.advanced(byMillis: instant.millis),
                instant: instant, receivedAt: instant,
                coordinate: Coordinate(latitude: latitude, longitude: -longitude), accuracyM: 10)
            fix.speedMps = speed / 3.6
            stops.add(fix)
        }
        return stops
    }

    private mutating func add(_ fix: TrackFix) {
        fixes += LocationLine(fix, bootID: nil).json.text + "\n"
        if fix.speedMps ?? 0 >= Self.standingMps {
            if let standingSince, let last, last.millis(since: standingSince) >= Self.leastMillis {
                stops.append(standingSince...last)
            }
            standingSince = nil
        } else if standingSince == nil {
            standingSince = fix.instant
        }
        last = fix.instant
    }
}
