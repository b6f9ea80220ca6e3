public import TrackerModel
import WireText

/// The JSON that Traccar takes on the same port since version 6.7, one point a request: speed in m/s, battery 0–1.
public struct OsmAndJSONFormat: PayloadFormat {
    public let contentType = "application/json; charset=utf-8"
    public let maxPoints: Int? = 1
    private let deviceID: String

    public init(deviceID: String) { self.deviceID = deviceID }

    public func body(_ points: [TrackPoint], maxBytes: Int) -> (bytes: [UInt8], count: Int) {
        JSONBatch.single(points) { ["location": .object(location($0)), "device_id": .string(deviceID)] }
    }

    public func haltReason(status: Int) -> HaltReason? { status == 400 || status == 404 ? .unknownDevice : nil }

    private func location(_ point: TrackPoint) -> JSONObject {
        var row: JSONObject = [
            "timestamp": .string(TimeText.iso(point.time)), "coords": .object(coordinates(point)),
            "is_moving": .bool(point.movement == .moving),
            "odometer": .int(Rounded.scaled(point.odometerMM, by: 1_000)),
        ]
        row["event"] = Self.event(point.acceptReason).map { .string($0) }
        // The receiver reads both or fails.
        if let percent = point.batteryPercent, let isCharging = point.isCharging {
            row["battery"] = ["level": .fixed(Int64(percent), places: 2), "is_charging": .bool(isCharging)]
        }
        row["activity"] = point.activity.map { ["type": .string(Self.word($0))] }
        return row
    }

    /// All of them must be numbers: −1 is an unknown speed or heading, and 0 an unknown altitude.
    private func coordinates(_ point: TrackPoint) -> JSONObject {
        [
            "latitude": .fixed(Int64(point.latitudeE7), places: 7),
            "longitude": .fixed(Int64(point.longitudeE7), places: 7),
            "accuracy": .fixed(point.accuracyMM, places: 3),
            "speed": point.hasSpeed ? .fixed(point.speedMMps, places: 3) : -1,
            "heading": point.hasBearing ? .fixed(point.bearingCentideg, places: 2) : -1,
            "altitude": point.altitudeMM.map { .fixed($0, places: 3) } ?? 0,
        ]
    }

    /// Only what the format has a word for.
    private static func event(_ reason: DecisionReason) -> String? {
        switch reason {
        case .heartbeat: "heartbeat"
        case .arrival, .blackoutArrival, .walkArrival: "motionchange"
        default: nil
        }
    }

    private static func word(_ activity: Activity) -> String {
        switch activity {
        case .inVehicle: "in_vehicle"
        case .onBicycle: "on_bicycle"
        case .onFoot: "on_foot"
        case .walking: "walking"
        case .running: "running"
        case .still: "still"
        case .tilting, .unknown: "unknown"
        }
    }
}
