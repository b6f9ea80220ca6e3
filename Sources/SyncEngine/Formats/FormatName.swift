/// The values of `upload.format`.
public enum FormatName: String, Sendable, CaseIterable {
    case native
    case osmand
    case osmandJSON = "osmand-json"
    case flespi
    case owntracks
}

extension PayloadConfig {
    /// - Parameter deviceID: what the server knows this device by.
    public func encoder(deviceID: String) -> any PayloadFormat {
        switch format {
        case .native: NativeFormat(extendedFor: isExtended ? deviceID : nil)
        case .osmand: OsmAndFormat(deviceID: deviceID)
        case .osmandJSON: OsmAndJSONFormat(deviceID: deviceID)
        case .flespi: FlespiFormat(deviceID: deviceID)
        case .owntracks: OwnTracksFormat(user: user, deviceID: deviceID)
        }
    }
}
