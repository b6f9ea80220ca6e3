/// What happens to the fixes of a simulated track for a while, besides the noise.
public struct TrackFault: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// No fix: a tunnel, a garage.
        case silence
        /// The position is off by this much; accuracy as reported, when given.
        case displaced(eastM: Double, northM: Double, accuracyM: Double?)
        /// Positions of a network: no speed, no course, errors of this deviation, this accuracy.
        case network(sigmaM: Double, accuracyM: Double)
        /// The accuracy is reported as this.
        case accuracy(Double)
        /// A measured speed that is not there, on a course that turns.
        case phantomSpeed(Double)
    }

    public var kind: Kind
    /// Seconds from the start of the track, the end excluded.
    public var from: Double
    public var until: Double

    public init(_ kind: Kind, from: Double, until: Double) {
        self.kind = kind
        self.from = from
        self.until = until
    }
}
