public import TrackerModel

/// A recorded motion: `nanoseconds,x,y,z` in m/s², one a line, further columns ignored; lines that are no numbers are
/// headings. It is played from its beginning, drawn straight between samples, and begins again at its end.
public struct AccelerationRecording: AccelerationSource {
    private static let standardGravity = 9.80665

    private let times: [Int64]
    private let values: [Acceleration]

    /// - Returns: `nil` when there are not two samples, in order of their times.
    public init?(csv: String) {
        var rows: [(Int64, Acceleration)] = []
        for line in csv.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false).prefix(4)
            let numbers = fields.compactMap { Double($0.drop { $0 == " " }) }
            guard numbers.count == 4, numbers.allSatisfy(\.isFinite), abs(numbers[0]) < 9e18 else { continue }
            let g = numbers.map { $0 / Self.standardGravity }
            rows.append((Int64(numbers[0]), Acceleration(x: g[1], y: g[2], z: g[3])))
        }
        guard let first = rows.first, rows.count > 1, zip(rows, rows.dropFirst()).allSatisfy({ $0.0 < $1.0 }) else {
            return nil
        }
        times = rows.map { $0.0 - first.0 }
        values = rows.map(\.1)
    }

    public func acceleration(at time: Instant) -> Acceleration {
        let at = time.nanos % (times.last ?? 1)
        var (low, high) = (0, times.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] <= at { low = middle } else { high = middle }
        }
        let share = Double(at - times[low]) / Double(times[high] - times[low])
        func between(_ axis: KeyPath<Acceleration, Double>) -> Double {
            values[low][keyPath: axis] * (1 - share) + values[high][keyPath: axis] * share
        }
        return Acceleration(x: between(\.x), y: between(\.y), z: between(\.z))
    }
}
