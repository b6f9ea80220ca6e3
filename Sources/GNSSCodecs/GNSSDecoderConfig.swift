/// What the decoder must be told about the receiver.
public struct GNSSDecoderConfig: Equatable, Sendable {
    /// User equivalent range error, metres: what HDOP is multiplied with where the receiver reports no error estimate
    /// (spec capture §3).
    public var uereM: Double
    /// From the solution to the first byte of its epoch, 0…500 ms (spec capture §2.3).
    public var outputLatencyMillis: Int64

    public init(uereM: Double = 5.0, outputLatencyMillis: Int64 = 0) {
        self.uereM = uereM
        self.outputLatencyMillis = outputLatencyMillis
    }
}
