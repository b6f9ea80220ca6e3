import TrackerModel

/// What the receiver's starts have taught, and how long it was in which state.
struct ReceiverPowerLedger {
    /// Of a new time to first fix in the mean (spec power §3).
    private static let weight = 0.2

    private var means: [ReceiverStartClass: Double] = [:]
    private var millis: [ReceiverPowerMachine.State: Int64] = [:]
    var starts: Int64 = 0
    var failures: Int64 = 0

    mutating func learn(_ startClass: ReceiverStartClass, firstFixMillis: Int64) {
        let new = Double(firstFixMillis)
        means[startClass] = means[startClass].map { $0 + Self.weight * (new - $0) } ?? new
    }

    /// The mean, rounded; `nil` before the first.
    func meanMillis(_ startClass: ReceiverStartClass) -> Int64? { means[startClass].map { Int64($0.rounded()) } }

    func predictedMillis(_ startClass: ReceiverStartClass) -> Int64 {
        Int64((means[startClass] ?? startClass.typicalMillis).rounded())
    }

    mutating func add(_ duration: Int64, in state: ReceiverPowerMachine.State) {
        millis[state, default: 0] += max(0, duration)
    }

    func millis(in state: ReceiverPowerMachine.State) -> Int64 { millis[state] ?? 0 }
}
