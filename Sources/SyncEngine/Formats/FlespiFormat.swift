public import TrackerModel
import WireText

/// An array of flat objects a request, for a flespi HTTP channel or Traccar's port 5149: speed in km/h.
///
/// Any status but 2xx is a failure of the whole batch; the server skips devices that it does not know without a word.
public struct FlespiFormat: PayloadFormat {
    public let contentType = "application/json; charset=utf-8"
    private let deviceID: String

    public init(deviceID: String) { self.deviceID = deviceID }

    public func body(_ points: [TrackPoint], maxBytes: Int) -> (bytes: [UInt8], count: Int) {
        JSONBatch.body(points, maxBytes: maxBytes, object: object)
    }

    private func object(_ point: TrackPoint) -> JSONObject {
        var row: JSONObject = [
            "ident": .string(deviceID), "timestamp": .fixed(point.time.millis, places: 3),
            "position.latitude": .fixed(Int64(point.latitudeE7), places: 7),
            "position.longitude": .fixed(Int64(point.longitudeE7), places: 7),
        ]
        row["position.altitude"] = point.altitudeMM.map { .fixed($0, places: 3) }
        row["position.speed"] = point.hasSpeed ? .fixed(Rounded.milliKmh(point.speedMMps), places: 3) : nil
        row["position.direction"] = point.hasBearing ? .fixed(point.bearingCentideg, places: 2) : nil
        // Nothing else is stored.
        row["position.valid"] = true
        row["battery.level"] = point.batteryPercent.map { .int(Int64($0)) }
        row["movement.status"] = .bool(point.movement == .moving)
        return row
    }
}
