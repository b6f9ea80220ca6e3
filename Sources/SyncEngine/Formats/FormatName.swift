/// The values of `upload.format`.
public enum FormatName: String, Sendable, CaseIterable {
    case native
    case osmand
    case osmandJSON = "osmand-json"
    case flespi
    case owntracks

    /// - Parameters:
    ///   - deviceID: what the server knows this device by.
    ///   - config: `user` and `isExtended` are read.
    public func format(deviceID: String, _ config: SyncConfig) -> any PayloadFormat {
        switch self {
        case .native: NativeFormat(extendedFor: config.isExtended ? deviceID : nil)
        case .osmand: OsmAndFormat(deviceID: deviceID)
        case .osmandJSON: OsmAndJSONFormat(deviceID: deviceID)
        case .flespi: FlespiFormat(deviceID: deviceID)
        case .owntracks: OwnTracksFormat(user: config.user, deviceID: deviceID)
        }
    }
}
