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

    public var segments: [Segment]
    /// Of the noise and the phases; the same seed gives the same samples.
    public var seed: UInt64

    public init(_ segments: [Segment], seed: UInt64 = 1) {
        self.segments = segments
        self.seed = seed
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

    public var durationMillis: Int64 { segments.reduce(0) { $0 + $1.millis } }

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

    private func index(at time: Instant) -> Int? {
        var end: Int64 = 0
        for (index, segment) in segments.enumerated() {
            end += segment.millis
            if time.millis < end { return index }
        }
        return segments.indices.last
    }
}
