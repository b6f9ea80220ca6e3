import Ports
import TrackerModel

/// Places fixes on the receiver's pulse per second (spec capture §2.3): the pulse begins the second that the fix is of, to
/// a microsecond, where the first byte of its epoch comes some hundred milliseconds later and not always as late.
///
/// Without pulses, or when none fits, a fix keeps the moment that its first byte gave it (E-029).
struct PulseClock {
    /// The boot clock's crystal is good for 0.1 ms in a second; an interrupt may be served a millisecond late.
    private static let jitterNanos: Int64 = 2_000_000
    /// After as many seconds without pulses the rhythm is looked for anew.
    private static let longestPauseSec: Int64 = 5
    private static let secondNanos: Int64 = 1_000_000_000

    /// What the fixes' moments were set back by (`gnss.outputLatencyMs`).
    let latencyMillis: Int64
    /// Fixes that were placed on a pulse.
    private(set) var placed: Int64 = 0
    private var last: Instant?
    /// The newest pulses that are whole seconds after one another, oldest first; two are enough, as a fix may come after the
    /// pulse that follows its own.
    private var believed: [Instant] = []

    init(latencyMillis: Int64) { self.latencyMillis = latencyMillis }

    /// What comes between the seconds, such as a spike, ends no rhythm and is no pulse.
    mutating func rose(at instant: Instant) {
        guard let last else { return self.last = instant }
        let pause = instant.nanos(since: last)
        let seconds = (pause + Self.secondNanos / 2) / Self.secondNanos
        let isInRhythm = seconds >= 1 && abs(pause - seconds * Self.secondNanos) <= Self.jitterNanos * seconds
        if isInRhythm, seconds <= Self.longestPauseSec {
            believed = believed.suffix(1) + [instant]
            self.last = instant
        } else if seconds > Self.longestPauseSec || believed.isEmpty {
            believed = []
            self.last = instant
        }
    }

    mutating func place(_ fix: TrackFix) -> TrackFix {
        guard let time = fix.time, !believed.isEmpty else { return fix }
        let firstByte = fix.instant.advanced(byMillis: latencyMillis)
        // At more than one fix a second, the pulse is that of the second that the fix is in.
        let sinceSecond = ((time.millis % 1_000) + 1_000) % 1_000
        for pulse in believed.reversed() {
            let moment = pulse.advanced(byMillis: sinceSecond)
            let lag = firstByte.nanos(since: moment)
            guard (0..<Self.secondNanos).contains(lag) else { continue }
            var fix = fix
            fix.instant = moment
            placed += 1
            return fix
        }
        return fix
    }
}
