public import TrackerModel
import WireText

/// The tracker's own body (spec sync §4): `{"location":[point, …]}`, unknown values omitted, byte-identical for
/// identical points.
public struct NativeFormat: PayloadFormat {
    public let contentType = "application/json; charset=utf-8"
    /// The device's name where the additions are sent too (`upload.extended`); `nil` for the base shape.
    private let extendedFor: String?

    public init(extendedFor: String? = nil) { self.extendedFor = extendedFor }

    public func body(_ points: [TrackPoint], maxBytes: Int) -> (bytes: [UInt8], count: Int) {
        JSONBatch.body(points, maxBytes: maxBytes, head: #"{"location":["#, tail: "]}", object: object)
    }

    /// One point, in the order of the spec's table.
    private func object(_ point: TrackPoint) -> JSONObject {
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
        row["detected_activity_type"] = point.activity.map { .string(Self.word($0)) }
        row["detected_activity_start_time"] = .int(point.activitySince?.millis ?? 0)
        row["battery_percentage"] = point.batteryPercent.map { .string(String($0)) }
        row["is_show_pin"] = point.isSignificantStop ? "Yes" : "No"
        row["is_mock"] = .bool(point.isMock)
        if let extendedFor { extend(&row, point, deviceID: extendedFor) }
        return row
    }

    private func extend(_ row: inout JSONObject, _ point: TrackPoint, deviceID: String) {
        row["session_id"] = .string(point.sessionID)
        row["altitude"] = point.altitudeMM.map { .fixed($0, places: 3) }
        row["bearing"] = point.hasBearing ? .fixed(point.bearingCentideg, places: 2) : nil
        row["odometer"] = .fixed(point.odometerMM, places: 3)
        row["accept_reason"] = .string(point.acceptReason.rawValue)
        row["is_charging"] = point.isCharging.map { .bool($0) }
        // A silence is a gap only with a cause (spec capture §10.3).
        if let cause = point.gapCause {
            row["gap_sec"] = .fixed(point.silenceMillis, places: 3)
            row["gap_cause"] = .string(cause.rawValue)
        }
        row["boot_id"] = .string(point.bootID)
        row["device_id"] = .string(deviceID)
        row["seq"] = .int(point.id)
    }

    private static func word(_ activity: Activity) -> String {
        switch activity {
        case .inVehicle: "IN_VEHICLE"
        case .onBicycle: "ON_BICYCLE"
        case .onFoot: "ON_FOOT"
        case .walking: "WALKING"
        case .running: "RUNNING"
        case .still: "STILL"
        case .tilting: "TILTING"
        case .unknown: "UNKNOWN"
        }
    }
}
