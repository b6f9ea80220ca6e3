import Ports
import TrackerModel

/// Tells a press from a hold of a push-button. Pure: edges and times in, gestures out.
struct ButtonMachine {
    enum Gesture: Equatable {
        case press
        case hold
    }

    /// Contacts of small buttons bounce for some milliseconds, worn ones for twenty.
    static let settleMillis: Int64 = 30
    /// Released before this it was a press.
    static let pressMillis: Int64 = 1_000
    /// Told while the button is still down, so that a person knows when to let go. What is between the two is neither: a
    /// hold that was thought better of.
    static let holdMillis: Int64 = 3_000

    private var level: SettledLevel
    /// `nil` while it is up, and after a hold until it is released.
    private var downSince: Instant?

    /// - Parameter isDown: a button that is down from the start, stuck or held through a restart, counts from its next
    ///   press on.
    init(isDown: Bool, at now: Instant) {
        level = SettledLevel(settleMillis: Self.settleMillis, isActive: isDown, at: now)
    }

    /// When to call `advance`.
    var deadline: Instant { min(level.deadline, holdDue) }

    private var holdDue: Instant {
        guard let downSince, level.isRawActive else { return .never }
        return downSince.advanced(byMillis: Self.holdMillis)
    }

    mutating func changed(_ edge: LineEdge) -> Gesture? {
        let gesture = advance(to: edge.at)
        level.changed(edge)
        return gesture
    }

    mutating func advance(to now: Instant) -> Gesture? {
        let edge = level.advance(to: now)
        if let edge, edge.isActive { downSince = edge.at }
        guard let since = downSince else { return nil }
        if let edge, !edge.isActive {
            downSince = nil
            let held = edge.at.millis(since: since)
            return held < Self.pressMillis ? .press : held >= Self.holdMillis ? .hold : nil
        }
        guard now >= holdDue else { return nil }
        downSince = nil
        return .hold
    }
}
