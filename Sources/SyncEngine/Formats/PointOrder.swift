public import TrackerModel

/// What a request says about its points as a whole.
public enum PointOrder {
    /// By time, then by insertion: the queue is in order of insertion, and a point may be inserted after a younger one.
    public static func byTime(_ points: some Sequence<TrackPoint>) -> [TrackPoint] {
        points.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    /// What the idempotency key is the SHA-256 of: the uuids in order, newline separated.
    public static func idempotencyText(_ points: some Sequence<TrackPoint>) -> String {
        points.map(\.uuid).joined(separator: "\n")
    }
}
