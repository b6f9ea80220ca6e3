public import TrackerModel
import WireText

/// A recording of a receiver that measures no speed, with RTK truth (`tracks/snappergps`).
public struct SnapperGPS: Sendable {
    public struct Position: Sendable {
        public let time: UTCTime
        public let coordinate: Coordinate
        /// Radius of a circle that holds half of the fixes, metres; `nil` where there is none, and for the truth.
        public let confidenceM: Double?
    }

    /// What other software found of the raw fixes, metres.
    public struct Oracle: Sendable {
        public let scored: Int
        public let medianErrorM: Double
        public let p95ErrorM: Double
        public let maxErrorM: Double
        public let trueLengthM: Double
        public let rawLengthM: Double
    }

    /// `w…` is on foot, `c…` by bicycle.
    public let name: String
    public let oracle: Oracle
    /// In the order of the file, which has fixes of one time and late ones.
    public let fixes: [Position]
    public let truth: [Position]

    private static let folder = "tracks/snappergps/"
    private static let dayMillis: Int64 = 86_400_000

    /// The six that there are.
    public static func all() throws -> [Self] {
        let table = try SharedData.requireText(folder + "errors.csv").split(whereSeparator: \.isNewline).dropFirst()
        let found = try table.map { try Self($0.split(separator: ",").map(String.init)) }
        guard found.count == 6 else {
            throw SharedDataFailure("\(folder)errors.csv has \(found.count) recordings, not 6")
        }
        return found
    }

    private init(_ row: [String]) throws {
        let numbers = row.dropFirst().compactMap(Double.init)
        guard numbers.count == 8 else { throw SharedDataFailure("\(Self.folder)errors.csv: \(row)") }
        let name = row[0]
        self.name = name
        oracle = Oracle(
            scored: Int(numbers[2]), medianErrorM: numbers[3], p95ErrorM: numbers[4], maxErrorM: numbers[5],
            trueLengthM: numbers[6], rawLengthM: numbers[7])
        fixes = try Self.items(name, "fixes").map { item in
            let time = item["datetime"]?.stringValue.flatMap { TimeText.parse($0) }
            return try Self.position(item, time, name)
        }
        guard var near = fixes.first?.time else { throw SharedDataFailure("\(name) has no fixes") }
        truth = try Self.items(name, "truth").map { item in
            let time = item["time"]?.stringValue.flatMap { Self.time($0, near: near) }
            near = time ?? near
            return try Self.position(item, time, name)
        }
    }

    private static func items(_ name: String, _ kind: String) throws -> [JSONObject] {
        let value = try JSONReader.parse(try SharedData.require("\(folder)\(name).\(kind).json"))
        return value.arrayValue?.compactMap(\.objectValue) ?? []
    }

    private static func position(_ item: JSONObject, _ time: UTCTime?, _ name: String) throws -> Position {
        guard let time, let latitude = item["latitude"]?.doubleValue, let longitude = item["longitude"]?.doubleValue
        else { throw SharedDataFailure("\(folder)\(name) has a position without time or place") }
        return Position(
            time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
            confidenceM: item["confidence"]?.doubleValue)
    }

    /// The truth has times of day: each is put within half a day of the one before.
    private static func time(_ clock: String, near: UTCTime) -> UTCTime? {
        guard let time = TimeText.parse("\(TimeText.iso(near).prefix(10))T\(clock)Z") else { return nil }
        let ahead = time.millis - near.millis
        return time.advanced(byMillis: ahead > dayMillis / 2 ? -dayMillis : ahead < -dayMillis / 2 ? dayMillis : 0)
    }
}
