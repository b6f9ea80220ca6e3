/// What a request looks like.
public struct PayloadConfig: Equatable, Sendable {
    public var format = FormatName.native
    /// The native format says all it knows about a point, not only the base shape.
    public var isExtended = false
    /// Larger bodies are compressed.
    public var isCompressed = false
    /// Whose device it is, for servers that sort by user; never empty.
    public var user = "tracker"

    public init() {}
}
