/// Percentiles of a set of errors, in metres.
///
/// The percentile p of n errors is the one at place ⌊p·n/100⌋ of the sorted ones, counted from 0: the smallest that more
/// than p % of them do not exceed. No value between two errors is made up.
public struct ErrorSpread: Equatable, Sendable {
    public let count: Int
    public let p50: Double
    public let p68: Double
    public let p95: Double
    public let p99: Double
    public let max: Double

    /// `nil` without errors.
    init?(_ errors: [Double]) {
        let sorted = errors.sorted()
        guard let last = sorted.last else { return nil }
        func percentile(_ percent: Int) -> Double { sorted[min(sorted.count - 1, sorted.count * percent / 100)] }
        count = sorted.count
        p50 = percentile(50)
        p68 = percentile(68)
        p95 = percentile(95)
        p99 = percentile(99)
        max = last
    }

    /// In the order of the columns of a report.
    var values: [(name: String, metres: Double)] {
        [("p50", p50), ("p68", p68), ("p95", p95), ("p99", p99), ("max", max)]
    }
}
