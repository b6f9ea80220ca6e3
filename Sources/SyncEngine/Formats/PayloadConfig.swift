/// What a request looks like.
public struct PayloadConfig: Equatable, Sendable {
    public var format = FormatName.native
    /// The native format says all it knows about a point, not only the base shape.
    public var isExtended = false
    /// Larger bodies are compressed.
    public var isCompressed = false
    /// Whose device it is, for servers that sort by user; never empty.
    public var user = "tracker"
    /// File of the certificates that a server's or broker's is checked against; empty: the system's.
    public var caFile = ""

    public init() {}
}
