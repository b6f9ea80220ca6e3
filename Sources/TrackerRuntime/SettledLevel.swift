import Ports
import TrackerModel

/// A level that counts once it has stood for a while: contacts bounce, and a starter motor pulls the supply down.
struct SettledLevel {
    let settleMillis: Int64
    private(set) var isActive: Bool
    private var raw: LineEdge

    init(settleMillis: Int64, isActive: Bool, at now: Instant) {
        self.settleMillis = settleMillis
        self.isActive = isActive
        raw = LineEdge(isActive: isActive, at: now)
    }

    /// What the line is at this moment, settled or not.
    var isRawActive: Bool { raw.isActive }

    /// When to look again.
    var deadline: Instant { raw.isActive == isActive ? .never : raw.at.advanced(byMillis: settleMillis) }

    mutating func changed(_ edge: LineEdge) {
        if edge.isActive != raw.isActive { raw = edge }
    }

    /// - Returns: the edge that has settled by now, at the moment it began.
    mutating func advance(to now: Instant) -> LineEdge? {
        guard now >= deadline else { return nil }
        isActive = raw.isActive
        return raw
    }
}
