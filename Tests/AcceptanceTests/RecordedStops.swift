import Recordings
import TestKit
import TrackerModel
import WireText

/// A recorded way whose stops are known from the speed that its receiver measured: fixes and samples as lines, and the
/// stops on the boot clock of the recording.
struct RecordedStops {
    /// Slower is standing; a stop shorter than this is none.
    private static let standingMps = 0.3
    private static let leastMillis: Int64 = 12_000

    private(set) var fixes = ""
    private(set) var samples = ""
    private(set) var stops: [ClosedRange<Instant>] = []
    private var standingSince: Instant?
    private var last: Instant?

    /// A car with an accelerometer. Of a second that is told several times the last counts. The log tells a σ of the
    /// position and not whose: it is taken for that of an axis, which makes the accuracy 3 to 7 m.
    static func car() throws -> Self {
        let log = try CarLog.read()
        var stops = Self()
        stops.samples = log.samples.map { $0.json.text + "\n" }.joined()
        for position in log.positions {
            guard let time = position.time, let sigma = position.sigmaM, sigma > 0 else { continue }
            var fix = TrackFix(
                time: time, instant: position.instant, receivedAt: position.instant, coordinate: position.coordinate,
                accuracyM: sigma * 1.5096)
            fix.speedMps = position.speedMps
            fix.courseDeg = position.speedMps >= 0.8 ? position.courseDeg : nil
            stops.add(fix)
        }
        return stops
    }

    /// A pocket logger: still, then a walk with many stops, then still. It tells no accuracy; 10 m is what such a logger
    /// reaches under trees. Waypoints (`C`) repeat a line.
    static func columbus() throws -> Self {
        let text = try SharedData.requireText("tracks/gpx/columbus-24173415.csv")
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
