import TrackerModel

/// From one time to another, both included.
struct TimeSpan: Equatable {
    var from: UTCTime
    var to: UTCTime

    var millis: Int64 { to.millis - from.millis }
}

extension Array where Element == TimedPosition {
    /// Index of the first element that is not earlier than `time`; `count` when all are. The array ascends in time.
    func firstIndex(notBefore time: UTCTime) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Those inside a span.
    func within(_ span: TimeSpan) -> ArraySlice<TimedPosition> {
        let first = firstIndex(notBefore: span.from)
        let end = firstIndex(notBefore: span.to.advanced(byMillis: 1))
        return self[first..<Swift.max(first, end)]
    }
}
