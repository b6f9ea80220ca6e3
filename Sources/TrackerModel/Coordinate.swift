/// A WGS-84 position in degrees: latitude in [−90, 90], longitude in [−180, 180] once validated.
public struct Coordinate: Equatable, Sendable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// From the stored form, units of 1e-7 degree.
    public init(latitudeE7: Int32, longitudeE7: Int32) {
        self.init(latitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7)
    }

    /// Finite and inside the ranges above; (0, 0) exactly is the mark of an unset position and is not valid
    /// (spec capture §2.4 rows 5–7).
    public var isValid: Bool {
        latitude.isFinite && longitude.isFinite && abs(latitude) <= 90 && abs(longitude) <= 180
            && !(latitude == 0 && longitude == 0)
    }

    /// The stored form, 1e-7 degree (1.1 cm of latitude), rounded to nearest. The position must be valid.
    public var latitudeE7: Int32 { Int32((latitude * 1e7).rounded()) }
    public var longitudeE7: Int32 { Int32((longitude * 1e7).rounded()) }
}
