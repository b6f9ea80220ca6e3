import SyncEngine

/// What the uplink to a broker is made with.
extension TrackerConfig {
    /// For an `upload.url` without a topic: where OwnTracks programs look (`device.id` must be set).
    public var brokerTopic: String { "owntracks/\(sync.payload.user)/\(deviceID)" }
    /// File of the certificates to trust; empty for the system's.
    public var brokerCAFile: String { sync.payload.caFile }
}
