import TrackerGeo
public import TrackerModel

/// Where something was at a time.
public struct TimedPosition: Equatable, Sendable {
    public var time: UTCTime
    /// Valid: see `Coordinate.isValid`.
    public var position: Coordinate
    /// 68 % radius in metres, > 0; `nil` where the source gives none.
    public var accuracyM: Double?

    public init(time: UTCTime, position: Coordinate, accuracyM: Double? = nil) {
        self.time = time
        self.position = position
        self.accuracyM = accuracyM
    }

    /// The place at a time from this position's to a later one's, on the straight line in latitude and longitude.
    func position(at instant: UTCTime, towards next: TimedPosition) -> Coordinate {
        let span = next.time.millis - time.millis
        guard span > 0 else { return position }
        return position.moved(towards: next.position, by: Double(instant.millis - time.millis) / Double(span))
    }
}

extension Coordinate {
    /// The share `share` (0…1) of the way to another position, straight in latitude and longitude.
    func moved(towards other: Coordinate, by share: Double) -> Coordinate {
        let east = Geodesic.wrappedDegrees(other.longitude - longitude)
        return Coordinate(
            latitude: latitude + (other.latitude - latitude) * share,
            longitude: Geodesic.wrappedDegrees(longitude + east * share))
    }
}
