import CLinux
import Glibc
import TrackerGeo
public import TrackerModel

/// The fixes that a receiver would give on a scenario, one each interval, as values: what the capture engine is fed when
/// bytes do not matter. A pure function of scenario, noise, interval and seed.
public struct SimulatedTrack: Sequence, IteratorProtocol {
    /// Monday 4 May 2026, 08:00 UTC.
    public static let start = UTCTime(millis: 1_777_881_600_000)

    public let scenario: TrackScenario
    public let noise: TrackNoise
    public let intervalMillis: Int64
    private let keep: Double
    private var random: SplitMix
    private var wander = (east: 0.0, north: 0.0)
    /// Slow change of the reported accuracy.
    private var sky = 0.0
    private var nextMillis = Int64(0)

    public init(_ scenario: TrackScenario, _ noise: TrackNoise = TrackNoise(), everyMillis: Int64, seed: UInt64) {
        self.scenario = scenario
        self.noise = noise
        intervalMillis = Swift.max(1, everyMillis)
        keep = exp(-Double(intervalMillis) / 1_000 / Swift.max(1e-3, noise.correlationSeconds))
        random = SplitMix(seed: seed)
        wander = (noise.sigmaM * random.gauss(), noise.sigmaM * random.gauss())
        sky = random.gauss()
    }

    /// The next fix; epochs without one are passed over. `nil` at the end of the scenario.
    public mutating func next() -> TrackFix? {
        while Double(nextMillis) / 1_000 <= scenario.durationSeconds {
            let millis = nextMillis
            nextMillis += intervalMillis
            if let fix = fix(at: millis) { return fix }
        }
        return nil
    }

    private mutating func fix(at millis: Int64) -> TrackFix? {
        let seconds = Double(millis) / 1_000
        let truth = scenario.offset(at: seconds)
        // Drawn in any case: the errors go on while nobody sees them.
        drift()
        let white = (east: noise.whiteM * random.gauss(), north: noise.whiteM * random.gauss())
        let velocity = (east: random.gauss(), north: random.gauss())
        let instant = Instant(millis: millis)
        var fix = TrackFix(
            time: Self.start.advanced(byMillis: millis), instant: instant, receivedAt: instant,
            coordinate: scenario.frame.position(
                east: truth.east + wander.east + white.east, north: truth.north + wander.north + white.north),
            accuracyM: accuracy, mode: .threeD, satellitesUsed: 11, hdop: 0.9)
        measureVelocity(&fix, speed: truth.speedMps, heading: truth.headingDeg, velocity)
        for fault in scenario.faults where fault.from <= seconds && seconds < fault.until {
            guard apply(fault, seconds, &fix) else { return nil }
        }
        return fix
    }

    private mutating func drift() {
        let push = (1 - keep * keep).squareRoot() * noise.sigmaM
        wander.east = keep * wander.east + push * random.gauss()
        wander.north = keep * wander.north + push * random.gauss()
        sky = keep * sky + (1 - keep * keep).squareRoot() * random.gauss()
    }

    private var accuracy: Double {
        let change = 1 + noise.accuracySpread * Swift.min(1, Swift.max(-1, sky / 2))
        return Swift.max(noise.accuracyFloorM, noise.accuracyFactor * noise.sigmaM * change)
    }

    /// Below 0.8 m/s, or when it is only known to 25°, the decoder gives no course (spec capture §2.4).
    private func measureVelocity(
        _ fix: inout TrackFix, speed: Double, heading: Double, _ draw: (east: Double, north: Double)
    ) {
        guard let sigma = noise.dopplerMps else { return }
        let direction = Geodesic.direction(bearingDeg: heading)
        let east = speed * direction.east + sigma * draw.east
        let north = speed * direction.north + sigma * draw.north
        let measured = (east * east + north * north).squareRoot()
        fix.speedMps = measured
        fix.speedAccuracyMps = noise.speedAccuracyMps
        let uncertainty = noise.speedAccuracyMps.map { $0 / Swift.max(0.1, measured) * 180 / .pi }
        guard measured >= 0.8, uncertainty ?? 0 <= 25 else { return }
        fix.courseDeg = Geodesic.bearingDeg(east: east, north: north)
        fix.courseAccuracyDeg = uncertainty
    }

    /// False when there is no fix.
    private mutating func apply(_ fault: TrackFault, _ seconds: Double, _ fix: inout TrackFix) -> Bool {
        switch fault.kind {
        case .silence: return false
        case .displaced(let east, let north, let accuracy):
            move(&fix, east: east, north: north)
            if let accuracy { fix.accuracyM = accuracy }
        case .network(let sigma, let accuracy):
            move(&fix, east: sigma * random.gauss(), north: sigma * random.gauss())
            fix.accuracyM = accuracy
            fix.speedMps = nil
            fix.courseDeg = nil
            fix.speedAccuracyMps = nil
            fix.courseAccuracyDeg = nil
            fix.provider = .cell
        case .accuracy(let accuracy): fix.accuracyM = accuracy
        case .phantomSpeed(let speed):
            fix.speedMps = speed
            fix.courseDeg = Geodesic.normalizedDegrees(seconds * 7)
            fix.courseAccuracyDeg = 10
        }
        return true
    }

    private func move(_ fix: inout TrackFix, east: Double, north: Double) {
        let at = scenario.frame.offset(of: fix.coordinate)
        fix.coordinate = scenario.frame.position(east: at.east + east, north: at.north + north)
    }
}
