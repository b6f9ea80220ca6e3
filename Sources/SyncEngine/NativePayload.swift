public import TrackerModel
import WireText

/// The native request body (spec sync §4): `{"location":[point, …]}`, unknown values omitted, byte-identical for
/// identical points.
public enum NativePayload {
    public static let contentType = "application/json; charset=utf-8"

    /// As many of the points, from the front, as fit into `maxBytes`; always at least one, so that a large point cannot
    /// block the queue.
    /// - Returns: the body and how many points it carries (0 only for no points).
    public static func body(_ points: [TrackPoint], maxBytes: Int) -> (bytes: [UInt8], count: Int) {
        var bytes = Array(#"{"location":["#.utf8)
        let tail = Array("]}".utf8)
        var count = 0
        for point in points {
            let row = JSONValue.object(object(point)).bytes
            if count > 0, bytes.count + 1 + row.count + tail.count > maxBytes { break }
            if count > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += row
            count += 1
        }
        return (bytes + tail, count)
    }

    /// One point, in the order of the spec's table.
    static func object(_ point: TrackPoint) -> JSONObject {
        var row = JSONObject()
        row["uuid"] = .string(point.uuid)
        row["time"] = .int(point.time.millis)
        row["local_date"] = .string(point.localDate)
        row["latitude"] = .fixed(Int64(point.latitudeE7), places: 7)
        row["longitude"] = .fixed(Int64(point.longitudeE7), places: 7)
        row["accuracy"] = .fixed(point.accuracyMM, places: 3)
        row["movementSpeed"] = .fixed(point.speedMMps, places: 3)
        row["provider"] = .string(point.provider.rawValue)
        row["hasSpeed"] = .bool(point.hasSpeed)
        row["hasBearing"] = .bool(point.hasBearing)
        row["time_zone"] = .string(point.timeZone)
        row["activity_status"] = .string(point.provider.rawValue + "@" + point.movement.rawValue)
        row["battery_percentage"] = point.batteryPercent.map { .string(String($0)) }
        row["is_show_pin"] = point.isSignificantStop ? "Yes" : "No"
        row["is_mock"] = .bool(point.isMock)
        return row
    }

    /// What the idempotency key is the SHA-256 of: the uuids in order, newline separated.
    public static func idempotencyText(_ points: some Sequence<TrackPoint>) -> String {
        points.map(\.uuid).joined(separator: "\n")
    }
}
