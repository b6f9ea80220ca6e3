public import TrackerModel

/// The fixes of a receiver on a journey without its bytes: the search, the errors and the accuracies of
/// `SimulatedReceiver`, for who only switches it on and off and asks.
public struct SimulatedFixes: Sendable {
    public struct Fix: Equatable, Sendable {
        public var position: Coordinate
        /// 68 % radius, metres.
        public var accuracyM: Double
        public var speedMps: Double
    }

    private let journey: Journey
    private let seed: UInt64
    private var search: FixSearch
    private var errors: ErrorTrack
    public private(set) var isOn = true

    /// Switched on cold at time zero.
    public init(_ journey: Journey, seed: UInt64) {
        self.journey = journey
        self.seed = seed
        search = FixSearch(.cold, seed: seed, at: .zero)
        errors = ErrorTrack(seed: seed, sigmaM: journey.plan.positionSigmaM)
    }

    /// Switched on again: with what it still knows.
    public mutating func start(at now: Instant) {
        guard !isOn else { return }
        isOn = true
        search.restart(search.nextStart(at: now), seed: seed, at: now)
    }

    public mutating func stop(at now: Instant) {
        guard isOn else { return }
        isOn = false
        search.stop(at: now)
    }

    /// The epoch of a whole second, of each one in turn while it is on; `nil` without a fix.
    public mutating func epoch(at now: Instant) -> Fix? {
        guard isOn else { return nil }
        let seconds = now.seconds(since: .zero)
        let truth = journey.standingTrueState(at: seconds)
        guard search.look(isSkyVisible: truth.isSkyVisible, at: now, periodMillis: 1_000) else { return nil }
        let draw = errors.draw(at: seconds)
        let steady = NavigationSolution.accuracyFactor * journey.plan.positionSigmaM
        let accuracy = search.accuracyM(at: now, steady: steady)
        return Fix(
            position: journey.displaced(
                truth.position, east: draw.east * accuracy / steady, north: draw.north * accuracy / steady),
            accuracyM: accuracy, speedMps: NavigationSolution.speedMps(truth, draw))
    }
}
