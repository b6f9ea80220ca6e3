import SyncEngine

/// What the uplinks are made with.
extension TrackerConfig {
    /// For an `upload.url` without a topic: where OwnTracks programs look (`device.id` must be set).
    public var brokerTopic: String { "owntracks/\(sync.payload.user)/\(deviceID)" }
}
