import TrackerModel
import WireText

/// What somebody asks to be watched, as it came over the control socket: the fence as it would be armed, or everything
/// that is wrong with it (spec api §6).
struct FenceRequest {
    static let arguments = [
        "id", "latitude", "longitude", "radiusM", "notifyOnEntry", "notifyOnExit", "dwellAfterMs",
    ]

    private(set) var problems: [String] = []
    /// `nil` when there are problems.
    private(set) var fence: Geofence?

    init(_ arguments: JSONObject) {
        /// A null is an argument that was not given.
        func given(_ name: String) -> JSONValue? { arguments[name].flatMap { $0 == .null ? nil : $0 } }
        let id = readID(given("id"))
        let latitude = readAngle(given("latitude"), "latitude", limit: 90)
        let longitude = readAngle(given("longitude"), "longitude", limit: 180)
        if latitude == 0, longitude == 0 {
            problems.append("latitude and longitude: 0, 0 is what a receiver without a position reports; give a centre")
        }
        let radius = readRadius(given("radiusM"))
        let onEntry = readFlag(given("notifyOnEntry"), "notifyOnEntry")
        let onExit = readFlag(given("notifyOnExit"), "notifyOnExit")
        let dwell = readDwell(given("dwellAfterMs"))
        if !onEntry, !onExit, given("dwellAfterMs") == nil {
            problems.append(
                "notifyOnEntry and notifyOnExit: both are off and there is no dwellAfterMs; ask for one of them")
        }
        guard problems.isEmpty, let latitude, let longitude, let radius else { return }
        let centre = Coordinate(latitude: latitude, longitude: longitude)
        fence = Geofence(
            id: id, latitudeE7: centre.latitudeE7, longitudeE7: centre.longitudeE7, radiusMM: radius,
            notifyOnEntry: onEntry, notifyOnExit: onExit, dwellAfterMillis: dwell)
    }

    private mutating func readID(_ value: JSONValue?) -> String {
        guard let id = value?.stringValue else {
            problems.append("id: give a name as text")
            return ""
        }
        if id.allSatisfy(\.isWhitespace) {
            problems.append("id: it is blank; give a name")
        } else if id.utf8.count > Geofence.longestID {
            problems.append("id: \(id.utf8.count) bytes; give at most \(Geofence.longestID)")
        } else if id.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            problems.append("id: it has a line break or another control character; give one line")
        } else if id == Geofence.stationaryID {
            problems.append("id: '\(id)' is the tracker's own; give another")
        }
        return id
    }

    private mutating func readNumber(_ value: JSONValue?, _ name: String, _ unit: String) -> Double? {
        if let number = value?.doubleValue { return number }
        let found = value.map { "'\($0.plain)' is no number" } ?? "missing"
        problems.append("\(name): \(found); give \(unit)")
        return nil
    }

    private mutating func readAngle(_ value: JSONValue?, _ name: String, limit: Int) -> Double? {
        guard let degrees = readNumber(value, name, "degrees") else { return nil }
        if abs(degrees) <= Double(limit) { return degrees }
        problems.append("\(name): \(degrees) is out of range; give -\(limit) to \(limit) degrees")
        return nil
    }

    private mutating func readRadius(_ value: JSONValue?) -> Int64? {
        guard let metres = readNumber(value, "radiusM", "metres") else { return nil }
        guard metres > 0 else {
            problems.append("radiusM: \(metres) is no radius; give more than 0 metres")
            return nil
        }
        let range = Geofence.radiusRangeMM
        return Int64(min(Double(range.upperBound), max(Double(range.lowerBound), metres * 1_000)).rounded())
    }

    private mutating func readFlag(_ value: JSONValue?, _ name: String) -> Bool {
        guard let value else { return true }
        guard let flag = value.boolValue else {
            problems.append("\(name): '\(value.plain)' is neither true nor false")
            return true
        }
        return flag
    }

    private mutating func readDwell(_ value: JSONValue?) -> Int64? {
        guard let value else { return nil }
        guard let millis = value.intValue else {
            problems.append("dwellAfterMs: '\(value.plain)' is no whole number; give milliseconds")
            return nil
        }
        guard millis > 0, millis <= Geofence.longestDwellMillis else {
            problems.append("dwellAfterMs: \(millis) is out of range; give 1 to \(Geofence.longestDwellMillis)")
            return nil
        }
        return millis
    }
}

extension Geofence {
    var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "latitude": .fixed(Int64(latitudeE7), places: 7),
            "longitude": .fixed(Int64(longitudeE7), places: 7), "radiusM": .fixed(radiusMM, places: 3),
            "notifyOnEntry": .bool(notifyOnEntry), "notifyOnExit": .bool(notifyOnExit),
        ]
        object["dwellAfterMs"] = dwellAfterMillis.map { .int($0) }
        return object
    }
}

extension FenceCrossing {
    var json: JSONValue {
        [
            "id": .int(id), "fenceID": .string(fenceID), "kind": .string(kind.rawValue), "timeMs": .int(time.millis),
            "latitude": .fixed(Int64(latitudeE7), places: 7), "longitude": .fixed(Int64(longitudeE7), places: 7),
            "radiusM": .fixed(radiusMM, places: 3), "late": .bool(isLate), "unverified": .bool(isUnverified),
        ]
    }
}
