/// The chunks of receiver logs, one log after the other.
struct RecordedBytes {
    struct Item {
        var time: RecordedTime
        var bytes: [UInt8]
        /// The clock has started again since the chunk before.
        var isAfterRestart: Bool
    }

    /// Logs without a clock follow one another at this distance.
    private static let pauseNanos: Int64 = 1_000_000_000

    private let logs: [ReceiverLog]
    private var log = 0
    private var chunk = 0
    private var newest: RecordedTime?
    /// What is added to the chunks of a log without a clock.
    private var base: Int64 = 0

    init(_ logs: [ReceiverLog]) { self.logs = logs }

    mutating func next() -> Item? {
        while log < logs.count, chunk == logs[log].chunks.count {
            log += 1
            chunk = 0
        }
        guard log < logs.count else { return nil }
        let (nanos, range) = logs[log].chunks[chunk]
        let hasClock = logs[log].hasClock
        if chunk == 0 { base = hasClock ? 0 : newest.map { $0.nanos + Self.pauseNanos } ?? 0 }
        let reading = base + nanos
        var time = newest ?? RecordedTime(run: 0, nanos: reading)
        let isAnotherClock = chunk == 0 && log > 0 && !logs[log - 1].hasClock
        let isAfterRestart =
            newest != nil && hasClock
            && (isAnotherClock || reading < time.nanos || reading - time.nanos > RecordedTime.longestPause)
        if isAfterRestart { time.restart(at: reading) } else { time.advance(to: reading) }
        newest = time
        chunk += 1
        return Item(time: time, bytes: Array(logs[log].bytes[range]), isAfterRestart: isAfterRestart)
    }
}
