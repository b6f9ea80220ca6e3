import SyncEngine

/// What the uplinks are made with.
extension TrackerConfig {
    /// For an `upload.url` without a topic: where OwnTracks programs look (`device.id` must be set).
    public var brokerTopic: String { "owntracks/\(sync.payload.user)/\(deviceID)" }
    /// File of the certificates to trust; empty for the system's.
    public var caFile: String { sync.payload.caFile }
}
