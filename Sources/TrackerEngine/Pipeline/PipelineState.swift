import TrackerModel

/// What the pipeline remembers between fixes.
struct PipelineState: Equatable {
    /// A fix that is held until another confirms it.
    struct Candidate: Equatable {
        var position: Coordinate
        var instant: Instant
    }

    /// Fixes too far from the stored point to be true, which agree with each other.
    struct DisplacedRun: Equatable {
        var position: Coordinate
        var since: Instant
        var instant: Instant
        var count: Int
    }

    /// An accepted fix whose velocity the receiver measured, m/s.
    struct MeasuredVelocity: Equatable {
        var position: Coordinate
        var accuracyM: Double
        var instant: Instant
        var east: Double
        var north: Double
    }

    var filter: MotionFilter?
    var measured: MeasuredVelocity?
    var displaced: DisplacedRun?
    /// The last settled place, from which a departure is measured.
    var origin: Coordinate?
    /// High-water mark of the distance from the origin, and when it was set.
    var highWaterM = 0.0
    var highWaterAt: Instant?
    var departCount = 0
    var countedAt: Instant?
    /// Under way for certain: departures need no more proof.
    var isLatched = false
    var settle = 0
    /// After a gap: the first fix elsewhere (stage 4).
    var recovery: Candidate?
    /// At rest: the first fix clearly elsewhere (stage 6, Δ4).
    var stationary: Candidate?
    /// Gate rejects in a row.
    var rejects = 0
    var lastAccept: Instant?
    /// Heading of the last stored point.
    var capturedHeading: Double?
    /// When the receiver last measured vehicular movement.
    var hardwareVehicularAt: Instant?
    var heartbeatAt: Instant?
    /// `Arrival` was given for the present stop (Δ7).
    var hasArrived = false

    /// A new settled place; nothing is under way.
    mutating func settle(at position: Coordinate) {
        origin = position
        clearLatches()
    }

    mutating func clearLatches() {
        isLatched = false
        settle = 0
        departCount = 0
        countedAt = nil
        highWaterM = 0
        highWaterAt = nil
        recovery = nil
        stationary = nil
    }

    mutating func seed(_ fix: TrackFix) { filter = .seeded(at: fix, keeping: filter) }
}

/// What is known about a fix besides the fix itself.
struct PipelineContext: Equatable {
    /// Seconds without a received valid fix just before this one.
    var receptionGap = 0.0
    /// Steps since the last stored point; `nil` without a step source.
    var steps: Int?
    /// Deviation of the accelerometer since the last stored point, g; `nil` without one.
    var stillMetricG: Double?
    /// The accelerometer has covered ≥ 95 % of the time since the last stored point and was still throughout.
    var wasStill = false
    /// The speed was found from many fixes with independent errors: it is displacement already, not a Doppler that may be
    /// a phantom.
    var isSpeedProven = false
    /// A walk's points are at least this far apart, metres.
    var minimumMoveM = PipelineLimit.minimumMove
    /// Metres per second, at most 5 s old.
    var verticalSpeedMps: Double?
}
