/// The numbers behind a decision: of every stage that the fix came to, absent for those it did not.
public struct DecisionEvidence: Equatable, Sendable {
    /// Milliseconds since the last stored point.
    public var elapsedMillis: Int64?
    /// Milliseconds without a received valid fix just before this one.
    public var silenceMillis: Int64?
    /// Where the filter is after this fix, 1e-7 degree.
    public var filterLatitudeE7: Int32?
    public var filterLongitudeE7: Int32?
    /// Of the gate: σ of the prediction, distance of the fix from it, and the most that was allowed; millimetres.
    public var sigmaMM: Int64?
    public var offsetMM: Int64?
    public var thresholdMM: Int64?
    /// Distance from the last settled place, millimetres.
    public var netMM: Int64?
    public var flags: DecisionFlags = []

    public init() {}
}
