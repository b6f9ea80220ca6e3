import TrackerModel

/// The samples of motion recordings, one recording after the other. A reading of the clock that is a second or more
/// below the one before means that the clock has started again.
struct RecordedMotion {
    private static let restartNanos: Int64 = 1_000_000_000

    private var readers: [MotionReader]
    private var reader = 0
    private var newest: RecordedTime?

    init(_ readers: [MotionReader]) { self.readers = readers }

    mutating func next() throws(RecordingFailure) -> (time: RecordedTime, sample: MotionSample)? {
        while reader < readers.count {
            guard let sample = try readers[reader].next() else {
                reader += 1
                continue
            }
            let nanos = sample.instant.nanos
            var time = newest ?? RecordedTime(run: 0, nanos: nanos)
            if nanos <= time.nanos - Self.restartNanos || nanos - time.nanos > RecordedTime.longestPause {
                time.restart(at: nanos)
            } else {
                time.advance(to: nanos)
            }
            newest = time
            return (time, sample)
        }
        return nil
    }
}
