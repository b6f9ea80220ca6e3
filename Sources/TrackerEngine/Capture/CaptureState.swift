public import TrackerModel

/// What of the engine survives a restart: integers, committed together with the fix that changed them.
public struct CaptureState: Equatable, Sendable {
    /// The last stored point of the session, as the engine judges by it.
    public struct Anchor: Equatable, Sendable {
        public var time: UTCTime
        public var instant: Instant
        public var latitudeE7: Int32
        public var longitudeE7: Int32
        public var accuracyMM: Int64
        public var speedMMps: Int64
        public var movement: MovementStatus

        public init(
            time: UTCTime, instant: Instant, latitudeE7: Int32, longitudeE7: Int32, accuracyMM: Int64, speedMMps: Int64,
            movement: MovementStatus
        ) {
            self.time = time
            self.instant = instant
            self.latitudeE7 = latitudeE7
            self.longitudeE7 = longitudeE7
            self.accuracyMM = accuracyMM
            self.speedMMps = speedMMps
            self.movement = movement
        }

        public var coordinate: Coordinate { Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) }
        var accuracyM: Double { Double(accuracyMM) / 1_000 }
        var speedMps: Double { Double(speedMMps) / 1_000 }
    }

    public var anchor: Anchor?
    public var odometerMM: Int64
    public var motion: MotionState
    /// When the motion state was entered.
    public var motionSince: Instant
    /// Where the present stop began, 1e-7 degree.
    public var stopLatitudeE7: Int32?
    public var stopLongitudeE7: Int32?
    /// The last valid fix, judged or not: what came before it is no gap.
    public var lastReceivedAt: Instant?
    /// Its UTC, for the silence across a reboot.
    public var lastReceivedTime: UTCTime?

    public init(
        anchor: Anchor? = nil, odometerMM: Int64 = 0, motion: MotionState = .stopped, motionSince: Instant = .zero,
        stopLatitudeE7: Int32? = nil, stopLongitudeE7: Int32? = nil
    ) {
        self.anchor = anchor
        self.odometerMM = odometerMM
        self.motion = motion
        self.motionSince = motionSince
        self.stopLatitudeE7 = stopLatitudeE7
        self.stopLongitudeE7 = stopLongitudeE7
    }

    /// From the last stored point alone: where the state that was saved with it cannot be read.
    public init(after point: TrackPoint) {
        self.init(
            anchor: Anchor(
                time: point.time, instant: point.instant, latitudeE7: point.latitudeE7, longitudeE7: point.longitudeE7,
                accuracyMM: point.accuracyMM, speedMMps: point.speedMMps, movement: point.movement),
            odometerMM: point.odometerMM)
        lastReceivedAt = point.instant
        lastReceivedTime = point.time
    }

    var stop: Coordinate? {
        guard let stopLatitudeE7, let stopLongitudeE7 else { return nil }
        return Coordinate(latitudeE7: stopLatitudeE7, longitudeE7: stopLongitudeE7)
    }
}
