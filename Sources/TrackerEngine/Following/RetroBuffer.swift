import TrackerGeo
import TrackerModel

/// The last 30 s of fixes: the apex of the turn that armed a burst lies among them (spec capture §12.2).
///
/// A ring that is allocated once. Of a receiver quicker than 2 Hz it keeps what is half a second apart: nothing closer
/// can become a point.
struct RetroBuffer {
    private static let seconds = 30.0
    /// A turn's apex farther than this from the chord is worth a point (spec capture §12.2), metres.
    static let worthM = 5.0
    private static let spacingSeconds = 0.5
    private static let capacity = 64

    private struct Entry {
        var fix: TrackFix
        /// It has had its decision, and gets no other.
        var isJudged = false
    }

    private var fixes: [Entry] = []
    /// Where the next one goes once the ring is full.
    private var oldest = 0
    private var newest: Instant?

    mutating func add(_ fix: TrackFix) {
        if let newest, case let apart = fix.instant.seconds(since: newest), apart >= 0, apart < Self.spacingSeconds {
            return
        }
        newest = fix.instant
        if fixes.count < Self.capacity {
            if fixes.isEmpty { fixes.reserveCapacity(Self.capacity) }
            fixes.append(Entry(fix: fix))
        } else {
            fixes[oldest] = Entry(fix: fix)
            oldest = (oldest + 1) % Self.capacity
        }
    }

    mutating func judged(at instant: Instant) {
        for index in fixes.indices where fixes[index].fix.instant == instant { fixes[index].isJudged = true }
    }

    mutating func clear() {
        fixes.removeAll(keepingCapacity: true)
        oldest = 0
        newest = nil
    }

    /// The fix after `past` without a decision that lies farthest from the chord from the stored point to `current`, if
    /// that is farther than `metres`.
    func apex(from past: CaptureState.Anchor, to current: TrackFix, beyond metres: Double) -> TrackFix? {
        let frame = LocalFrame(origin: past.coordinate)
        let end = frame.offset(of: current.coordinate)
        let length = (end.east * end.east + end.north * end.north).squareRoot()
        var best: (fix: TrackFix, distance: Double)?
        for entry in fixes where !entry.isJudged {
            let fix = entry.fix
            guard current.instant.seconds(since: fix.instant) <= Self.seconds,
                fix.instant.seconds(since: past.instant) > Self.spacingSeconds,
                current.instant.seconds(since: fix.instant) > Self.spacingSeconds
            else { continue }
            let place = frame.offset(of: fix.coordinate)
            let distance =
                length > 0
                ? abs(place.east * end.north - place.north * end.east) / length
                : (place.east * place.east + place.north * place.north).squareRoot()
            if distance > (best?.distance ?? metres) { best = (fix, distance) }
        }
        return best?.fix
    }
}
