import TrackerModel

/// The fixes of location recordings, one recording after the other.
struct RecordedFixes {
    /// A fix and where it stands.
    struct Item {
        /// When it is delivered: never before the fix of the line above.
        var time: RecordedTime
        /// Its own reading of the clock.
        var nanos: Int64
        var line: LocationLine
        /// The clock has started again since the fix before.
        var isAfterRestart: Bool
    }

    /// Without boots in the lines only the steps of their clock tell a restart (spec capture §6): back by this much, or
    /// late this many times in a row.
    private static let restartNanos: Int64 = 300_000_000_000
    private static let longestLateRun = 3

    private var readers: [LocationReader]
    private let needsClock: Bool
    private var reader = 0
    private var isFirstOfFile = true
    private var newest: RecordedTime?
    private var bootID: String?
    private var lateRun = 0
    /// Whether the lines of this file have a reading of the boot clock; else UTC stands in.
    private(set) var hasClock = false

    /// - Parameter needsClock: a line without a reading of the boot clock is an error.
    init(_ readers: [LocationReader], needsClock: Bool) {
        self.readers = readers
        self.needsClock = needsClock
    }

    mutating func next() throws(RecordingFailure) -> Item? {
        while reader < readers.count {
            guard let line = try readers[reader].next() else {
                reader += 1
                isFirstOfFile = true
                continue
            }
            return try item(line)
        }
        return nil
    }

    private mutating func item(_ line: LocationLine) throws(RecordingFailure) -> Item {
        let clocked = line.monotonicNanos != nil
        if needsClock, !clocked {
            throw readers[reader].failure(
                "there is no u (seconds of the boot clock): samples cannot be put in order with fixes that have only t")
        }
        if !isFirstOfFile, clocked != hasClock {
            throw readers[reader].failure(
                clocked ? "u is here but not in the lines before" : "u is missing, the lines before have it")
        }
        let nanos = line.monotonicNanos ?? (line.time?.millis ?? 0) * 1_000_000
        let isAfterRestart = restarts(line, at: nanos, clocked: clocked)
        var time = newest ?? RecordedTime(run: 0, nanos: nanos)
        lateRun = nanos < time.nanos && !isAfterRestart ? lateRun + 1 : 0
        if isAfterRestart { time.restart(at: nanos) } else { time.advance(to: nanos) }
        newest = time
        hasClock = clocked
        isFirstOfFile = false
        bootID = line.bootID ?? bootID
        return Item(time: time, nanos: nanos, line: line, isAfterRestart: isAfterRestart)
    }

    /// Another boot; or a file whose clock does not go on where the one before ended; or a month without a fix, which a
    /// replay would otherwise have to sit through.
    private func restarts(_ line: LocationLine, at nanos: Int64, clocked: Bool) -> Bool {
        guard let newest else { return false }
        if let before = bootID, let boot = line.bootID, boot != before { return true }
        if isFirstOfFile, clocked != hasClock || nanos < newest.nanos { return true }
        if bootID == nil, line.bootID == nil, nanos < newest.nanos {
            return newest.nanos - nanos >= Self.restartNanos || lateRun >= Self.longestLateRun
        }
        return nanos - newest.nanos > RecordedTime.longestPause
    }
}
