/// One entry in the history of a fence (spec api §6). It copies the circle, so that it still says where it happened when
/// the fence has been moved or removed.
public struct FenceCrossing: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case enter
        case exit
        /// Stayed inside for as long as the fence asks for.
        case dwell
    }

    /// Insertion id; 0 until stored.
    public var id: Int64
    public var fenceID: String
    public var kind: Kind
    /// When it happened: of a dwell the moment it was complete, however late that was noticed.
    public var time: UTCTime
    /// Centre, 1e-7 degree, and radius, millimetres, at that time.
    public var latitudeE7: Int32
    public var longitudeE7: Int32
    public var radiusMM: Int64
    /// It happened while nobody watched: an entry or exit carries the time of its first proof.
    public var isLate: Bool
    /// A dwell that no fix could confirm.
    public var isUnverified: Bool
    /// The fence asks for this kind. What it does not ask for is kept all the same, as the state of the fence, but is
    /// neither reported nor listed.
    public var isNotified: Bool

    public init(
        id: Int64 = 0, fenceID: String, kind: Kind, time: UTCTime, latitudeE7: Int32, longitudeE7: Int32,
        radiusMM: Int64, isLate: Bool = false, isUnverified: Bool = false, isNotified: Bool = true
    ) {
        self.id = id
        self.fenceID = fenceID
        self.kind = kind
        self.time = time
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7
        self.radiusMM = radiusMM
        self.isLate = isLate
        self.isUnverified = isUnverified
        self.isNotified = isNotified
    }

    /// A crossing of this fence with its circle.
    public init(
        _ fence: Geofence, _ kind: Kind, at time: UTCTime, isLate: Bool = false, isUnverified: Bool = false
    ) {
        let isNotified =
            switch kind {
            case .enter: fence.notifyOnEntry
            case .exit: fence.notifyOnExit
            case .dwell: true
            }
        self.init(
            fenceID: fence.id, kind: kind, time: time, latitudeE7: fence.latitudeE7, longitudeE7: fence.longitudeE7,
            radiusMM: fence.radiusMM, isLate: isLate, isUnverified: isUnverified, isNotified: isNotified)
    }

    /// The fence was inside after this.
    public var leavesInside: Bool { kind != .exit }

    /// Whether the history has no place for `next` after this, its newest row: two watchers then still make one row.
    /// - Parameter isOlder: this row is of an earlier arming of the fence.
    public func excludes(_ next: FenceCrossing, isOlder: Bool) -> Bool {
        switch next.kind {
        // One that nobody was told of does not silence one that somebody is to be told of.
        case .enter: leavesInside && (isNotified || !next.isNotified)
        case .exit: kind == .exit
        case .dwell: kind == .exit || (kind == .dwell && !isOlder)
        }
    }
}
