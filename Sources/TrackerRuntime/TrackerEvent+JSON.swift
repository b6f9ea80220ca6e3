import Recordings
import TrackerModel
import WireText

extension TrackerEvent {
    /// Its name on the control socket (spec api §4).
    var name: String {
        switch self {
        case .location: "location"
        case .locationRejected: "locationRejected"
        case .motionChange: "motionChange"
        case .enabledChange: "enabledChange"
        case .providerChange: "providerChange"
        case .powerSaveChange: "powerSaveChange"
        case .batteryChange: "batteryChange"
        case .geofenceEnter: "geofenceEnter"
        case .geofenceExit: "geofenceExit"
        case .geofenceDwell: "geofenceDwell"
        case .geofenceAdded: "geofenceAdded"
        case .geofenceRemoved: "geofenceRemoved"
        case .sessionInterrupted: "sessionInterrupted"
        case .activityChange: "activityChange"
        case .trackingGap: "trackingGap"
        case .heartbeat: "heartbeat"
        case .upload(let event): "sync." + event.name
        case .diagnostic: "diagnostic"
        case .error: "error"
        }
    }

    /// Unknown values are left out.
    var json: JSONValue {
        switch self {
        case .location(let point): point.json
        case .locationRejected(let decision): decision.eventJSON
        case .motionChange(let state): ["state": .string(state.rawValue)]
        case .enabledChange(let isEnabled): ["enabled": .bool(isEnabled)]
        case .providerChange(let state): ["receiver": .string(state.rawValue)]
        case .powerSaveChange(let isEnabled): ["enabled": .bool(isEnabled)]
        case .batteryChange(let info): .object(info.json)
        case .geofenceEnter(let crossing), .geofenceExit(let crossing), .geofenceDwell(let crossing): crossing.json
        case .geofenceAdded(let fence): .object(fence.json)
        case .geofenceRemoved(let id): ["id": .string(id)]
        case .sessionInterrupted(let session, let cause): Self.interrupted(session, cause)
        case .activityChange(let label):
            ["activity": .string(label.activity.rawValue), "confidence": .int(Int64(label.confidence))]
        case .trackingGap(let gap):
            [
                "durationSec": .fixed(gap.durationMillis, places: 3),
                "distanceMeters": .fixed(gap.distanceMM, places: 3),
                "cause": .string(gap.cause.rawValue),
            ]
        case .heartbeat(let time): ["atMs": .int(time.millis)]
        case .upload(let event): Self.upload(event)
        case .diagnostic(let message): ["message": .string(message)]
        case .error(let code, let message): ["code": .string(code.rawValue), "message": .string(message)]
        }
    }

    /// The event's own name stands before it.
    private static func upload(_ event: UploadEvent) -> JSONValue {
        var object = event.json
        object["event"] = nil
        return .object(object)
    }

    private static func interrupted(_ session: Session, _ cause: InterruptionCause) -> JSONValue {
        var object = session.json
        object["cause"] = .string(cause.rawValue)
        return .object(object)
    }
}

extension BatteryInfo {
    /// Unknown values are omitted (spec api §8).
    var json: JSONObject {
        var object = JSONObject()
        object["percent"] = percent.map { .int(Int64($0)) }
        object["isCharging"] = isCharging.map { .bool($0) }
        object["powerSource"] = .string(powerSource.rawValue)
        object["isLow"] = .bool(isLow)
        return object
    }
}

extension Decision {
    /// In the words of spec api §4; `device-cli decisions` has the same with more numbers.
    var eventJSON: JSONValue {
        var fix = JSONObject()
        fix["timeMs"] = time.map { .int($0.millis) }
        fix["monotonicNanos"] = .int(instant.nanos)
        fix["latitude"] = latitudeE7.map { .fixed(Int64($0), places: 7) }
        fix["longitude"] = longitudeE7.map { .fixed(Int64($0), places: 7) }
        fix["accuracyM"] = accuracyMM.map { .fixed($0, places: 3) }
        var object: JSONObject = [
            "fix": .object(fix), "verdict": .string(verdict.rawValue), "reason": .string(reason.rawValue),
        ]
        object["filterLatitude"] = evidence.filterLatitudeE7.map { .fixed(Int64($0), places: 7) }
        object["filterLongitude"] = evidence.filterLongitudeE7.map { .fixed(Int64($0), places: 7) }
        object["sigma"] = evidence.sigmaMM.map { .fixed($0, places: 3) }
        object["threshold"] = evidence.thresholdMM.map { .fixed($0, places: 3) }
        object["distanceMovedM"] = distanceMM.map { .fixed($0, places: 3) }
        object["effectiveSpeedMps"] = speedMMps.map { .fixed($0, places: 3) }
        object["motionState"] = .string(motion.rawValue)
        object["flags"] = .array(evidence.flags.names.map { .string($0) })
        return .object(object)
    }
}
