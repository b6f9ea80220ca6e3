import TrackerModel

/// How a chip proves that its proof mass moves: a force of its own is applied, and the output must change by an amount
/// that the data sheet names.
public struct SelfTest: Sendable {
    /// The state that the change is counted from.
    public var first: [RegisterStep]
    /// The state with the force applied.
    public var second: [RegisterStep]
    /// From either to the first reading that counts.
    public var settleMillis: Int64
    /// Between readings.
    public var periodMillis: Int64
    /// Readings that are averaged in each state.
    public var readings: Int
    /// The output registers.
    public var output: RegisterRead
    public var format: SampleFormat
    /// What the factory wrote into the chip for this test.
    public var factory: [RegisterRead]
    /// The change that passes, in g, of an axis (0…2), by the bytes of `factory`; `nil`: the chip has no such value.
    var limits: @Sendable (_ axis: Int, _ factory: [UInt8]) -> ClosedRange<Double>?
    /// The data sheet gives the size of the change and not its direction.
    var ignoresSign = false

    /// What a self-test found.
    public struct Result: Equatable, Sendable {
        /// Change of x, y, z in g.
        public var changesG: [Double]
        public var limitsG: [ClosedRange<Double>?]

        public var passed: Bool { zip(changesG, limitsG).allSatisfy { $1?.contains($0) ?? true } && isJudged }
        /// False when the chip has no value of its own to be compared with.
        public var isJudged: Bool { limitsG.contains { $0 != nil } }
    }

    /// - Parameters:
    ///   - first: the readings of the first state, one after the other; those of the second likewise.
    ///   - factory: of all reads of `factory`, one after the other.
    public func result(first: [UInt8], second: [UInt8], factory bytes: [UInt8]) -> Result {
        let (before, after) = (mean(first), mean(second))
        let changes = (0..<3).map { axis in
            let change = after[axis] - before[axis]
            return ignoresSign ? abs(change) : change
        }
        return Result(changesG: changes, limitsG: (0..<3).map { limits($0, bytes) })
    }

    private func mean(_ bytes: [UInt8]) -> [Double] {
        let samples = format.samples(bytes, newest: .zero, periodNanos: 0)
        let count = Double(max(1, samples.count))
        return [\MotionSample.x, \.y, \.z].map { axis in samples.reduce(0) { $0 + $1[keyPath: axis] } / count }
    }
}
