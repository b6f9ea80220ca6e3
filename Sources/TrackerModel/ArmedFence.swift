/// A fence that is being watched, and what is known of it.
public struct ArmedFence: Equatable, Sendable {
    public var fence: Geofence
    /// When it was armed, by the best clock there was.
    public var armedAt: UTCTime
    /// Its newest crossing, whatever arming it is of.
    public var latest: FenceCrossing?
    /// The newest crossing is of an earlier arming of the same id: a stay begins anew with the arming.
    public var isLatestOlder: Bool

    public init(fence: Geofence, armedAt: UTCTime, latest: FenceCrossing? = nil, isLatestOlder: Bool = false) {
        self.fence = fence
        self.armedAt = armedAt
        self.latest = latest
        self.isLatestOlder = isLatestOlder
    }
}
