public import TrackerModel
import WireText

/// The form that Traccar takes on port 5055, one point a request: speed in knots, time in whole seconds.
///
/// What was not measured is left out: there is no way to say *unknown* in it.
public struct OsmAndFormat: PayloadFormat {
    public let contentType = "application/x-www-form-urlencoded"
    public let maxPoints: Int? = 1
    private let deviceID: String

    public init(deviceID: String) { self.deviceID = deviceID }

    public func body(_ points: [TrackPoint], maxBytes: Int) -> (bytes: [UInt8], count: Int) {
        guard let point = points.first else { return ([], 0) }
        var form = FormBody()
        form.add("id", deviceID)
        form.add("timestamp", String(Rounded.seconds(point.time.millis)))
        form.add("lat", FixedPoint.text(Int64(point.latitudeE7), places: 7))
        form.add("lon", FixedPoint.text(Int64(point.longitudeE7), places: 7))
        if point.hasSpeed { form.add("speed", FixedPoint.text(Rounded.milliKnots(point.speedMMps), places: 3)) }
        if point.hasBearing { form.add("bearing", FixedPoint.text(point.bearingCentideg, places: 2)) }
        if let altitude = point.altitudeMM { form.add("altitude", FixedPoint.text(altitude, places: 3)) }
        form.add("accuracy", FixedPoint.text(point.accuracyMM, places: 3))
        if let percent = point.batteryPercent { form.add("batt", String(percent)) }
        if let isCharging = point.isCharging { form.add("charge", isCharging ? "true" : "false") }
        return (form.bytes, 1)
    }

    /// Older servers answer 400 to a device they do not know, newer ones 404.
    public func haltReason(status: Int) -> HaltReason? { status == 400 || status == 404 ? .unknownDevice : nil }
}
