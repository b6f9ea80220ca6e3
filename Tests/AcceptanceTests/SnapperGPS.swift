import TestKit
import TrackJudge
import TrackerModel
import WireText

/// The recordings with RTK truth, as `scripts/convert-snappergps` writes them.
struct SnapperGPS {
    /// Radii of a circle that hold 68 and 50 % of a two-dimensional normal distribution.
    private static let radiusFactor = 1.5096 / 1.1774
    private static let halfDayMillis: Int64 = 43_200_000

    let name: String
    /// Of the raw fixes: 95 % of their errors, and their length beside the true one, metres.
    let rawP95M: Double
    let trueLengthM: Double
    let rawLengthM: Double
    /// A location recording.
    let fixes: String
    let truth: Recording

    /// Those that the shared data has; empty without it.
    static var all: [Self] {
        (SharedData.text("tracks/snappergps/errors.csv") ?? "").split(whereSeparator: \.isNewline).dropFirst()
            .compactMap { line in
                let fields = line.split(separator: ",").map(String.init)
                let numbers = fields.dropFirst().compactMap(Double.init)
                return numbers.count == 8 ? Self(fields[0], numbers) : nil
            }
    }

    private init?(_ name: String, _ numbers: [Double]) {
        guard let recorded = Self.items(name, "fixes"), let known = Self.items(name, "truth"),
            let start = recorded.first.flatMap(Self.time)
        else { return nil }
        self.name = name
        (rawP95M, trueLengthM, rawLengthM) = (numbers[4], numbers[6], numbers[7])
        // Of several fixes of one time the first counts.
        var lines: [(millis: Int64, text: String)] = []
        for item in recorded {
            guard let line = Self.line(item) else { return nil }
            lines.append(line)
        }
        let sorted = lines.enumerated().sorted { ($0.element.millis, $0.offset) < ($1.element.millis, $1.offset) }
        var text = ""
        var last: Int64?
        for (_, line) in sorted where line.millis != last {
            text += line.text + "\n"
            last = line.millis
        }
        fixes = text
        truth = Recording(format: .jsonLines, positions: Self.positions(known, near: start))
    }

    private static func items(_ name: String, _ kind: String) -> [JSONObject]? {
        SharedData.bytes("tracks/snappergps/\(name).\(kind).json").flatMap { try? JSONReader.parse($0) }?
            .arrayValue?.compactMap(\.objectValue)
    }

    private static func time(_ item: JSONObject) -> UTCTime? {
        item["datetime"]?.stringValue.flatMap { TimeText.parse($0) }
    }

    private static func line(_ item: JSONObject) -> (Int64, String)? {
        guard let time = time(item), let latitude = item["latitude"]?.doubleValue,
            let longitude = item["longitude"]?.doubleValue
        else { return nil }
        let radius = item["confidence"]?.doubleValue.map { ($0 * radiusFactor * 1_000).rounded() / 1_000 }
        let accuracy = radius.map { $0 > 0 ? "\"acc\":\($0)," : "" } ?? ""
        let seconds = FixedPoint.text(time.millis, places: 3)
        return (time.millis, "{\(accuracy)\"lat\":\(latitude),\"lon\":\(longitude),\"t\":\(seconds)}")
    }

    /// The truth has times of day: each is put within half a day of the one before.
    private static func positions(_ items: [JSONObject], near start: UTCTime) -> [TimedPosition] {
        var near = start
        return items.compactMap { item in
            guard let clock = item["time"]?.stringValue, let latitude = item["latitude"]?.doubleValue,
                let longitude = item["longitude"]?.doubleValue,
                var time = TimeText.parse("\(TimeText.iso(near).prefix(10))T\(clock)Z")
            else { return nil }
            if time.millis - near.millis > halfDayMillis { time = time.advanced(byMillis: -2 * halfDayMillis) }
            if near.millis - time.millis > halfDayMillis { time = time.advanced(byMillis: 2 * halfDayMillis) }
            near = time
            return TimedPosition(
                time: time, position: Coordinate(latitude: latitude, longitude: longitude))
        }
    }
}
