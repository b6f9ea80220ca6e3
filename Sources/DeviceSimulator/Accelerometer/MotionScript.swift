public import TrackerModel

/// What happens to the board over time: segments of one activity each, as text `still 7200`, one a line, in seconds;
/// `#` starts a comment. After the last segment its activity goes on.
public struct MotionScript: Equatable, Sendable {
    public enum Activity: String, CaseIterable, Sendable {
        /// Gravity, a fixed tilt and 3 mg of sensor noise.
        case still
        /// In a car that stands with its engine running: 10 mg of vibration.
        case idle
        /// 1.8 steps a second.
        case walking
        /// Broadband road noise of 8–20 Hz and slow sway.
        case driving
        /// A machine at 30 Hz.
        case vibration
        /// A small boat on its mooring: roll, and a heave of 15 to 60 mg that comes and goes over minutes.
        case swell
        /// A small boat under way: heave of 90 mg, and heel.
        case sailing
        /// The chip does not acknowledge its address; the motion of the segment before goes on.
        case fault
    }

    public struct Segment: Equatable, Sendable {
        public var activity: Activity
        public var millis: Int64

        public init(_ activity: Activity, millis: Int64) {
            self.activity = activity
            self.millis = millis
        }
    }

    public var segments: [Segment] { didSet { ends = Self.ends(segments) } }
    /// Where each ends, milliseconds from the start.
    private var ends: [Int64]
    /// Of the noise and the phases; the same seed gives the same samples.
    public var seed: UInt64

    public init(_ segments: [Segment], seed: UInt64 = 1) {
        self.segments = segments
        self.seed = seed
        ends = Self.ends(segments)
    }

    /// Activities and when they end, in seconds and in order; the ends are rounded to whole seconds, so that segments add up.
    init(marks: [(until: Double, activity: Activity)], seed: UInt64) {
        var segments: [Segment] = []
        var done: Int64 = 0
        for mark in marks {
            let until = Int64(mark.until.rounded())
            if until > done { segments.append(.init(mark.activity, millis: (until - done) * 1_000)) }
            done = max(done, until)
        }
        self.init(segments, seed: seed)
    }

    private static func ends(_ segments: [Segment]) -> [Int64] {
        var end: Int64 = 0
        return segments.map { segment in
            end += segment.millis
            return end
        }
    }

    /// - Throws: `ScriptFailure` with the line; a script without segments is refused too.
    public init(text: String, seed: UInt64 = 1) throws(ScriptFailure) {
        var segments: [Segment] = []
        for line in ScriptLine.all(text) { segments.append(try Self.segment(line)) }
        if segments.isEmpty {
            throw ScriptFailure(line: 0, message: "the script has no segment; write one such as \"still 60\"")
        }
        self.init(segments, seed: seed)
    }

    private static func segment(_ line: ScriptLine) throws(ScriptFailure) -> Segment {
        let words = line.words
        guard let activity = Activity(rawValue: String(words[0])) else {
            let known = Activity.allCases.map(\.rawValue).joined(separator: ", ")
            throw line.failure("unknown activity \"\(words[0])\"; use one of \(known)")
        }
        guard words.count == 2, let millis = ScriptLine.millis(words[1], atLeastSeconds: 0.001) else {
            throw line.failure(
                "expected \"\(words[0]) SECONDS\" with more than 0 and at most 366 days of seconds"
            )
        }
        return Segment(activity, millis: millis)
    }

    /// The text form; whole seconds are written without a fraction.
    public var text: String {
        segments.map { segment in
            let (seconds, rest) = segment.millis.quotientAndRemainder(dividingBy: 1_000)
            let digits = String(1_000 + rest).dropFirst()
            return "\(segment.activity.rawValue) \(seconds)" + (rest == 0 ? "" : ".\(digits)") + "\n"
        }.joined()
    }

    public var durationMillis: Int64 { ends.last ?? 0 }

    /// The activity at a script time (zero: the start of the script).
    public func activity(at time: Instant) -> Activity {
        guard let index = index(at: time) else { return .still }
        return segments[index].activity
    }

    /// How the board moves, which a fault of the bus does not change.
    func movement(at time: Instant) -> Activity {
        guard let index = index(at: time) else { return .still }
        return segments[...index].last { $0.activity != .fault }?.activity ?? .still
    }

    /// When the activity at a script time ends; never, for the last one.
    public func end(at time: Instant) -> Instant {
        guard let index = index(at: time), index < ends.count - 1 else { return .never }
        return Instant(millis: ends[index])
    }

    private func index(at time: Instant) -> Int? {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= time.millis { low = middle + 1 } else { high = middle }
        }
        return low < ends.count ? low : ends.indices.last
    }
}
