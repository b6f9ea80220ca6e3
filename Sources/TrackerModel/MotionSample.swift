/// One accelerometer sample in units of standard gravity (9.80665 m/s²), on the boot clock.
public struct MotionSample: Equatable, Sendable {
    public var instant: Instant
    public var x: Double
    public var y: Double
    public var z: Double

    public init(instant: Instant, x: Double, y: Double, z: Double) {
        self.instant = instant
        self.x = x
        self.y = y
        self.z = z
    }
}

/// What the accelerometer says about the device, answered from evidence: absence of data is never stillness.
public struct StillnessReading: Equatable, Sendable {
    /// When the last sample behind this reading was taken.
    public var instant: Instant
    /// Root mean square of the deviation over the last second, in g.
    public var rmsG: Double
    /// Start of the unbroken run of still windows; `nil` when the last window was not still.
    public var stillSince: Instant?
    /// Start of the unbroken run of shaken windows (RMS ≥ 0.05 g); `nil` when the last window was not shaken.
    public var shakenSince: Instant?

    public init(instant: Instant, rmsG: Double, stillSince: Instant?, shakenSince: Instant?) {
        self.instant = instant
        self.rmsG = rmsG
        self.stillSince = stillSince
        self.shakenSince = shakenSince
    }
}
