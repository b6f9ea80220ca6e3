/// A circle on the ground that is watched for entering, leaving and staying (spec api §6), as it is armed and stored.
public struct Geofence: Equatable, Sendable {
    /// Of the fence around a stop that wakes the motion machine: no operator's fence may have it, and it is never listed.
    public static let stationaryID = "tracker.stationary"
    /// Bytes of an id at most.
    public static let longestID = 128
    /// Fences that are watched at a time, at most (spec api §6).
    public static let mostArmed = 10_000
    /// What a radius is clamped to, millimetres: 5 m to 100 km.
    public static let radiusRangeMM: ClosedRange<Int64> = 5_000...100_000_000
    /// Below it a receiver's scatter decides as much as the movement, millimetres.
    public static let reliableRadiusMM: Int64 = 30_000
    /// The longest dwell that is taken: ten years, so that no time ever overflows.
    public static let longestDwellMillis: Int64 = 315_360_000_000

    /// Chosen by the operator: 1 to 128 bytes, not blank.
    public var id: String
    /// Centre, 1e-7 degree.
    public var latitudeE7: Int32
    public var longitudeE7: Int32
    /// Millimetres.
    public var radiusMM: Int64
    public var notifyOnEntry: Bool
    public var notifyOnExit: Bool
    /// Milliseconds inside after which the stay is reported; `nil`: it is not.
    public var dwellAfterMillis: Int64?

    public init(
        id: String, latitudeE7: Int32, longitudeE7: Int32, radiusMM: Int64, notifyOnEntry: Bool = true,
        notifyOnExit: Bool = true, dwellAfterMillis: Int64? = nil
    ) {
        self.id = id
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7
        self.radiusMM = radiusMM
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
        self.dwellAfterMillis = dwellAfterMillis
    }

    public var centre: Coordinate { Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) }
    public var radiusM: Double { Double(radiusMM) / 1_000 }
    /// Smaller than a receiver can tell reliably.
    public var isBelowReliableRadius: Bool { radiusMM < Self.reliableRadiusMM }
}
