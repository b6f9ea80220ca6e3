public import TrackerModel

/// How points become the body of a request, and what the server's answer to it means.
///
/// A format is pure: the same points are always the same bytes, so that a retry is the same request.
public protocol PayloadFormat: Sendable {
    /// Value of `Content-Type`, unless the operator sets another.
    var contentType: String { get }
    /// Further headers of every request.
    var headers: [(name: String, value: String)] { get }
    /// How many points a request may carry; `nil` is as many as fit.
    var maxPoints: Int? { get }

    /// As many of the points, from the front, as fit into `maxBytes` and `maxPoints`; always at least one, so that a
    /// large point cannot block the queue.
    /// - Parameter points: in order of time, see `PointOrder`.
    /// - Returns: the body and how many points it carries (0 only for no points).
    func body(_ points: [TrackPoint], maxBytes: Int) -> (bytes: [UInt8], count: Int)

    /// One crossing of a fence as a request of its own; `nil` for a kind that the format has no word for.
    /// - Parameter armedAt: when the fence was armed; `nil` when it is watched no more.
    func body(_ crossing: FenceCrossing, armedAt: UTCTime?) -> [UInt8]?

    /// Why nothing more may be sent after this status, for statuses that mean something else to this format's servers
    /// than to everybody (spec sync §5).
    func haltReason(status: Int) -> HaltReason?
}

/// Why uploads stop until the operator has looked: like a 403, the rows stay queued.
public enum HaltReason: String, Sendable {
    /// The server does not know the device: register `device.id` there.
    case unknownDevice
}

extension PayloadFormat {
    public var headers: [(name: String, value: String)] { [] }
    public var maxPoints: Int? { nil }
    public func body(_ crossing: FenceCrossing, armedAt: UTCTime?) -> [UInt8]? { nil }
    public func haltReason(status: Int) -> HaltReason? { nil }

    /// The body for the head of the queue: which rows go is decided in the queue's order, within the request they are in
    /// order of time.
    /// - Returns: the body and its points in its order.
    public func request(_ queued: [TrackPoint], maxBytes: Int) -> (bytes: [UInt8], carried: [TrackPoint]) {
        let (bytes, count) = body(queued, maxBytes: maxBytes)
        let carried = PointOrder.byTime(queued.prefix(count))
        // The same points in another order need the same room.
        return carried.elementsEqual(queued.prefix(count))
            ? (bytes, carried) : (body(carried, maxBytes: maxBytes).bytes, carried)
    }
}
