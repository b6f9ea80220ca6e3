import TrackerGeo
import TrackerModel
public import WireText

/// The points that arrived, each once, in order of first arrival; and what else a test wants to know.
public struct PointCollection: Sendable {
    private(set) var points: [JSONValue] = []
    private var places: [(time: Int64, position: Coordinate)] = []
    private var known: Set<String> = []
    /// Uploads of any outcome.
    public var requests = 0
    /// Uploads that were answered with something else than 2xx on purpose or because they are wrong.
    public var refused = 0
    /// Rows of kept uploads, and those of them that had come before.
    public private(set) var received = 0
    public private(set) var duplicates = 0

    /// Why a body is no upload.
    public struct Refusal: Error, Equatable, Sendable {
        /// 400 for what is no JSON, 422 for what is no upload.
        public var status: Int
        public var message: String
    }

    public init() {}

    /// Takes the points of one body, all or none.
    /// - Returns: the points that are new.
    /// - Throws: `Refusal`; nothing was kept.
    public mutating func keep(_ body: [UInt8]) throws(Refusal) -> [JSONValue] {
        let value: JSONValue
        do throws(JSONFailure) {
            value = try JSONReader.parse(body)
        } catch {
            throw Refusal(status: 400, message: "no JSON at byte \(error.offset): \(error.message)")
        }
        guard let points = value.objectValue?["location"]?.arrayValue else {
            throw Refusal(status: 422, message: "expected {\"location\":[…]}")
        }
        return try keep(points: points)
    }

    /// The same for points that are parsed already.
    @discardableResult
    mutating func keep(points: [JSONValue]) throws(Refusal) -> [JSONValue] {
        let rows = try Self.rows(points)
        var new: [JSONValue] = []
        for row in rows {
            received += 1
            if known.insert(row.uuid).inserted {
                self.points.append(row.point)
                places.append((row.time, row.position))
                new.append(row.point)
            } else {
                duplicates += 1
            }
        }
        return new
    }

    private typealias Row = (uuid: String, time: Int64, position: Coordinate, point: JSONValue)

    private static func rows(_ points: [JSONValue]) throws(Refusal) -> [Row] {
        var rows: [Row] = []
        for (index, point) in points.enumerated() {
            guard let object = point.objectValue, let uuid = object["uuid"]?.stringValue, !uuid.isEmpty,
                let time = object["time"]?.intValue, let latitude = object["latitude"]?.doubleValue,
                let longitude = object["longitude"]?.doubleValue
            else {
                throw Refusal(
                    status: 422, message: "point \(index) needs uuid, time (int, ms), latitude and longitude (numbers)")
            }
            rows.append((uuid, time, Coordinate(latitude: latitude, longitude: longitude), point))
        }
        return rows
    }

    /// Metres along the kept points in order of their time.
    public var distanceM: Double {
        let inOrder = places.sorted { $0.time < $1.time }
        return zip(inOrder, inOrder.dropFirst()).reduce(0) {
            $0 + Geodesic.distanceM($1.0.position, $1.1.position)
        }
    }

    /// `{"requests":n,"received":n,"duplicates":n,"uuids":n,"refused":n,"distanceM":x}`.
    public var summary: JSONValue {
        .object([
            "requests": .int(Int64(requests)), "received": .int(Int64(received)), "duplicates": .int(Int64(duplicates)),
            "uuids": .int(Int64(points.count)), "refused": .int(Int64(refused)),
            "distanceM": JSONValue.decimal(distanceM, places: 1) ?? .int(0),
        ])
    }
}
