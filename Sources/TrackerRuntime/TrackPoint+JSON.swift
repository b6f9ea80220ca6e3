import Ports
import TrackerModel
import WireText

extension TrackPoint {
    /// A point as operations and events show it (spec api §4): degrees with 7 decimals, metres, m/s and seconds with 3;
    /// what is unknown is left out.
    var json: JSONValue {
        var object: JSONObject = [
            "id": .int(id), "uuid": .string(uuid), "sessionID": .string(sessionID), "timeMs": .int(time.millis),
            "monotonicNanos": .int(instant.nanos), "bootID": .string(bootID), "localDate": .string(localDate),
            "timezone": .string(timeZone), "latitude": .fixed(Int64(latitudeE7), places: 7),
            "longitude": .fixed(Int64(longitudeE7), places: 7), "accuracyM": .fixed(accuracyMM, places: 3),
        ]
        object["altitudeM"] = altitudeMM.map { .fixed($0, places: 3) }
        object["speedMps"] = .fixed(speedMMps, places: 3)
        object["bearingDeg"] = .fixed(bearingCentideg, places: 2)
        object["hasSpeed"] = .bool(hasSpeed)
        object["hasBearing"] = .bool(hasBearing)
        object["provider"] = .string(provider.rawValue)
        object["isMock"] = .bool(isMock)
        object["movementStatus"] = .string(movement.rawValue)
        object["detectedActivity"] = activity.map { .string($0.rawValue) }
        // 0 is "unknown" (spec sync §4).
        object["activityStartTimeMs"] = .int(activitySince?.millis ?? 0)
        object["odometerM"] = .fixed(odometerMM, places: 3)
        object["batteryPct"] = batteryPercent.map { .int(Int64($0)) }
        object["isCharging"] = isCharging.map { .bool($0) }
        object["isSignificantStop"] = .bool(isSignificantStop)
        object["acceptReason"] = .string(acceptReason.rawValue)
        object["silenceSec"] = .fixed(silenceMillis, places: 3)
        object["gapCause"] = gapCause.map { .string($0.rawValue) }
        return .object(object)
    }
}

extension SessionSummary {
    /// A session as operations show it (spec api §3).
    /// - Parameter now: up to which an open one has lasted.
    func json(now: UTCTime) -> JSONObject {
        var object = session.json
        object["isOpen"] = .bool(session.endedAt == nil)
        let end = session.endedAt ?? now
        object["durationSec"] = .fixed(max(0, end.millis - session.startedAt.millis), places: 3)
        object["points"] = .int(points)
        object["distanceM"] = .fixed(distanceMM, places: 3)
        var boots: [String] = []
        for run in runs where !boots.contains(run.bootID) { boots.append(run.bootID) }
        object["bootIDs"] = .array(boots.map { .string($0) })
        object["interruptions"] = .array(
            runs.compactMap { run in
                run.interruption.map { ["atMs": .int(run.startedAt.millis), "cause": .string($0.rawValue)] }
            })
        return object
    }
}

extension Session {
    var json: JSONObject {
        var object: JSONObject = ["id": .string(id), "startedAtMs": .int(startedAt.millis)]
        object["endedAtMs"] = endedAt.map { .int($0.millis) }
        object["tag"] = tag.map { .string($0) }
        return object
    }
}
