public import TrackerModel

/// What a replay plays: fixes or the bytes of a receiver, and samples beside them, in the order in which they happened.
///
/// Ordered by the boot clock; at the same reading a sample comes before a fix, and lines of one kind keep their order.
/// The clock that starts again (a reboot) makes a new run, which follows the one before.
public struct MergedRecording {
    public struct Item {
        /// When it happens, never before the item ahead.
        public var instant: Instant
        /// The recorded clock has started again since the item before of this kind.
        public var isAfterRestart: Bool
        public var content: Content
    }

    public enum Content {
        case fix(TrackFix)
        case motion(MotionSample)
        case bytes([UInt8])
    }

    private var fixes: RecordedFixes
    private var motion: RecordedMotion
    private var bytes: RecordedBytes
    private var nextFix: RecordedFixes.Item?
    private var nextSample: (time: RecordedTime, sample: MotionSample)?
    private var nextBytes: RecordedBytes.Item?
    private var timeline: RecordedTimeline
    /// Before every item; the clock of the replay starts here.
    public let start: Instant
    /// It is a receiver's bytes that are played.
    public let hasReceiver: Bool

    /// - Throws: `RecordingFailure` for recordings that cannot be played together, and for a first line that is damaged.
    public init(
        locations: [LocationReader] = [], motion: [MotionReader] = [], logs: [ReceiverLog] = []
    ) throws(RecordingFailure) {
        try Self.check(locations, motion, logs)
        fixes = RecordedFixes(locations, needsClock: !motion.isEmpty)
        self.motion = RecordedMotion(motion)
        bytes = RecordedBytes(logs)
        hasReceiver = !logs.isEmpty
        nextFix = try fixes.next()
        nextSample = try self.motion.next()
        nextBytes = bytes.next()
        let firsts = [nextFix?.time, nextSample?.time, nextBytes?.time].compactMap { $0?.nanos }
        let hasClock = nextSample != nil || (nextFix == nil ? logs.first?.hasClock ?? false : fixes.hasClock)
        start = hasClock ? Instant(nanos: firsts.min() ?? 0) : .zero
        timeline = RecordedTimeline(start: start, first: firsts.min() ?? 0)
    }

    private static func check(
        _ locations: [LocationReader], _ motion: [MotionReader], _ logs: [ReceiverLog]
    ) throws(RecordingFailure) {
        if let log = logs.first, !locations.isEmpty {
            throw RecordingFailure(
                name: log.name, message: "a receiver's log beside recordings of fixes; replay one kind at a time")
        }
        guard let samples = motion.first else { return }
        if locations.isEmpty, logs.isEmpty {
            throw RecordingFailure(name: samples.name, message: "samples alone have no fix to judge; add a recording")
        }
        if let log = logs.first(where: { !$0.hasClock }) {
            throw RecordingFailure(
                name: log.name, message: "there is no index of times beside it: samples cannot be put in order with it")
        }
    }

    /// The next item; `nil` at the end.
    public mutating func next() throws(RecordingFailure) -> Item? {
        let other = [nextFix?.time, nextBytes?.time].compactMap { $0 }.min()
        if let (time, sample) = nextSample, other.map({ time <= $0 }) ?? true {
            nextSample = try motion.next()
            let instant = timeline.instant(of: time)
            let moved = MotionSample(
                instant: timeline.place(sample.instant.nanos), x: sample.x, y: sample.y, z: sample.z)
            return Item(instant: instant, isAfterRestart: false, content: .motion(moved))
        }
        if let fix = nextFix {
            nextFix = try fixes.next()
            let instant = timeline.instant(of: fix.time)
            let placed = fix.line.fix(at: timeline.place(fix.nanos))
            return Item(instant: instant, isAfterRestart: fix.isAfterRestart, content: .fix(placed))
        }
        guard let chunk = nextBytes else { return nil }
        nextBytes = bytes.next()
        let instant = timeline.instant(of: chunk.time)
        return Item(instant: instant, isAfterRestart: chunk.isAfterRestart, content: .bytes(chunk.bytes))
    }
}
