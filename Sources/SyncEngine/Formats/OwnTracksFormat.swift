public import TrackerModel
import WireText

/// One OwnTracks location a request or message: whole metres, km/h and seconds.
public struct OwnTracksFormat: PayloadFormat {
    public let contentType = "application/json; charset=utf-8"
    public let maxPoints: Int? = 1
    private let user: String
    private let deviceID: String

    public init(user: String, deviceID: String) {
        self.user = user
        self.deviceID = deviceID
    }

    /// Who it is: the body says it in two characters only.
    public var headers: [(name: String, value: String)] { [("X-Limit-U", user), ("X-Limit-D", deviceID)] }

    public func body(_ points: [TrackPoint], maxBytes: Int) -> (bytes: [UInt8], count: Int) {
        JSONBatch.single(points, object: object)
    }

    /// A `transition`. The history keeps the circle and not the fix: so the place is its centre, as accurate as it is wide.
    /// `wtst` is what tells one waypoint from another: when it was armed.
    public func body(_ crossing: FenceCrossing, armedAt: UTCTime?) -> [UInt8]? {
        let event: String
        switch crossing.kind {
        case .enter: event = "enter"
        case .exit: event = "leave"
        case .dwell: return nil
        }
        let row: JSONObject = [
            "_type": "transition", "tst": .int(Rounded.seconds(crossing.time.millis)),
            "wtst": .int(Rounded.seconds((armedAt ?? crossing.time).millis)), "event": .string(event),
            "desc": .string(crossing.fenceID), "lat": .fixed(Int64(crossing.latitudeE7), places: 7),
            "lon": .fixed(Int64(crossing.longitudeE7), places: 7),
            "acc": .int(max(1, Rounded.scaled(crossing.radiusMM, by: 1_000))), "t": "c", "tid": .string(trackerID),
        ]
        return JSONValue.object(row).bytes
    }

    private func object(_ point: TrackPoint) -> JSONObject {
        let seconds = JSONValue.int(Rounded.seconds(point.time.millis))
        var row: JSONObject = [
            "_type": "location", "tst": seconds, "lat": .fixed(Int64(point.latitudeE7), places: 7),
            "lon": .fixed(Int64(point.longitudeE7), places: 7),
            "acc": .int(max(1, Rounded.scaled(point.accuracyMM, by: 1_000))),
        ]
        row["alt"] = point.altitudeMM.map { .int(Rounded.scaled($0, by: 1_000)) }
        row["vel"] = point.hasSpeed ? .int(Rounded.scaled(point.speedMMps, times: 9, by: 2_500)) : nil
        row["cog"] = point.hasBearing ? .int(Rounded.scaled(point.bearingCentideg, by: 100) % 360) : nil
        row["batt"] = point.batteryPercent.map { .int(Int64($0)) }
        row["bs"] = .int(Self.batteryState(point))
        // `p`: by the device's own cadence; whatever an operator asks for is answered, not stored.
        row["t"] = "p"
        row["tid"] = .string(trackerID)
        // A tracker without a screen has a modem; the format knows no other word for *not Wi-Fi*.
        row["conn"] = "m"
        // When the message came to be: with the point, so that a retry is the same message.
        row["created_at"] = seconds
        return row
    }

    /// 0 unknown, 1 unplugged, 2 charging, 3 full.
    private static func batteryState(_ point: TrackPoint) -> Int64 {
        switch point.isCharging {
        case nil: 0
        case false?: 1
        case true?: point.batteryPercent == 100 ? 3 : 2
        }
    }

    /// The last two characters of the device's name, as the apps have it.
    private var trackerID: String {
        let end = String(deviceID.suffix(2))
        return String(repeating: "-", count: 2 - end.count) + end
    }
}
