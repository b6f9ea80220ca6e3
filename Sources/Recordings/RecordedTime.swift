import TrackerModel

/// Where a line stands: readings of one run of a clock compare with each other, and the runs follow one another.
struct RecordedTime: Comparable {
    /// A pause longer than this is no pause of one run: 31 days, in nanoseconds.
    static let longestPause: Int64 = 31 * 86_400 * 1_000_000_000

    /// The latest reading of a recorded boot clock: 4 · 10⁹ s are 126 years, and fit into 64 bits of nanoseconds twice.
    static let latest: Int64 = 4_000_000_000_000_000_000

    /// How often the clock has started again before.
    var run: Int
    var nanos: Int64

    static func < (a: Self, b: Self) -> Bool { (a.run, a.nanos) < (b.run, b.nanos) }

    /// The clock moves on; a reading below the newest is late and changes nothing.
    mutating func advance(to reading: Int64) { nanos = max(nanos, reading) }

    /// The clock has started again at this reading.
    mutating func restart(at reading: Int64) {
        run += 1
        nanos = reading
    }
}

/// Puts the runs of recorded clocks one behind the other on the clock that a replay runs on.
struct RecordedTimeline {
    /// Between two runs: how long the device was off does not show on its boot clock.
    private static let pauseNanos: Int64 = 1_000_000_000

    private var run: Int
    /// The reading at which the present run began, and where that is in the replay.
    private var first: Int64
    private var start: Instant
    private var newest: Instant

    /// The first run begins at `first`, which is `start` in the replay.
    init(start: Instant, first: Int64) {
        run = 0
        self.first = first
        self.start = start
        newest = start
    }

    /// When something happens in the replay; never before what was asked for last.
    mutating func instant(of time: RecordedTime) -> Instant {
        if time.run > run {
            run = time.run
            first = time.nanos
            start = newest.advanced(byNanos: Self.pauseNanos)
        }
        newest = max(newest, place(time.nanos))
        return newest
    }

    /// A reading of the present run, which may be late.
    func place(_ reading: Int64) -> Instant {
        start.advanced(byNanos: Instant(nanos: reading).nanos(since: Instant(nanos: first)))
    }
}
