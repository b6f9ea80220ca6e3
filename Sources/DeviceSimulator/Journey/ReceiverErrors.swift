import CLinux
import Glibc

/// The errors of a receiver, second by second: a slow wandering of the position (Gauss–Markov), white noise on top, and
/// noise of speed and course.
struct ReceiverErrors: Sendable {
    /// One epoch's errors.
    struct Draw: Sendable {
        var east: Double
        var north: Double
        var up: Double
        var speedMps: Double
        var courseDeg: Double
        /// 0.7…1.5.
        var hdop: Double
        /// 8…14.
        var satellites: Int
    }

    private var random: SplitMix
    private let sigmaM: Double
    private var wander = (east: 0.0, north: 0.0, up: 0.0)
    private var sky = 0.0
    /// Correlation of the wandering and of the sky from one second to the next, times 60 s and 120 s.
    private let keep = exp(-1.0 / 60)
    private let skyKeep = exp(-1.0 / 120)

    init(seed: UInt64, sigmaM: Double) {
        random = SplitMix(seed: seed)
        self.sigmaM = sigmaM
        wander = (sigmaM * random.gauss(), sigmaM * random.gauss(), 1.5 * sigmaM * random.gauss())
        sky = random.gauss()
    }

    mutating func next() -> Draw {
        let push = (1 - keep * keep).squareRoot()
        wander.east = keep * wander.east + push * sigmaM * random.gauss()
        wander.north = keep * wander.north + push * sigmaM * random.gauss()
        wander.up = keep * wander.up + push * 1.5 * sigmaM * random.gauss()
        sky = skyKeep * sky + (1 - skyKeep * skyKeep).squareRoot() * random.gauss()
        let hdop = min(1.5, max(0.7, 1.0 + 0.2 * sky))
        return Draw(
            east: wander.east + 0.3 * random.gauss(), north: wander.north + 0.3 * random.gauss(),
            up: wander.up + 0.5 * random.gauss(), speedMps: 0.1 * random.gauss(), courseDeg: random.gauss(),
            hdop: hdop, satellites: 14 - Int(((hdop - 0.7) * 7.5).rounded()))
    }
}
