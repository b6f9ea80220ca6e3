import TrackerModel

/// The table of labels (spec capture §13.5) for one window: which activity it shows, and how sure that is after how
/// long.
///
/// Where rows of the table overlap the order is: pedalling (which has no steps), steps, a vehicle by its speed, tilting,
/// stillness, then the weak signs of bicycle and vehicle.
struct ActivityFinding {
    let activity: Activity
    private let window: MotionWindow
    private let speedMps: Double?
    private let isCertainVehicle: Bool
    private let isCertainBicycle: Bool

    private static let walkingCadence = 70.0..<140
    private static let runningCadence = 140.0...200
    /// After this long pedalling is beyond doubt: the body of a car sways at the same frequencies, but not for long.
    private static let pedalledNanos: Int64 = 20_000_000_000
    private static let vehicleRMS = 0.02...0.15
    private static let vehicleNanos: Int64 = 10_000_000_000
    private static let walkingMps = 2.5
    private static let runningMps = 2.0...7
    private static let runningRMS = 0.35
    private static let standingMps = 0.5
    static let low = 33
    private static let medium = 66
    private static let high = 100

    /// - Parameters:
    ///   - pedalledNanos: for how long pedalling has been felt; 0 when it is not.
    ///   - before: the activity of the label that holds.
    init(
        _ window: MotionWindow, _ speed: SpeedEvidence, at now: Instant, pedalledNanos: Int64, before: Activity?
    ) {
        self.window = window
        speedMps = speed.mps(at: now)
        let isKnown = speedMps != nil
        isCertainBicycle = pedalledNanos >= Self.pedalledNanos
        func lasts(_ since: Instant?) -> Bool {
            isKnown && since.map { now.nanos(since: $0) >= Self.vehicleNanos } ?? false
        }
        isCertainVehicle = lasts(speed.certainSince)
        if isCertainBicycle || pedalledNanos > 0 && before != .inVehicle {
            activity = .onBicycle
        } else {
            activity = Self.activity(window, speedMps, isVehicle: lasts(speed.likelySince), before: before)
        }
    }

    private static func activity(
        _ window: MotionWindow, _ speedMps: Double?, isVehicle: Bool, before: Activity?
    ) -> Activity {
        if let cadence = window.cadencePerMinute {
            if walkingCadence.contains(cadence) { return .walking }
            return runningCadence.contains(cadence) ? .running : .unknown
        }
        if window.hasSteps { return .unknown }
        if isVehicle { return .inVehicle }
        if window.isTilted { return .tilting }
        if window.rmsG < StillnessDetector.stillRMS { return .still }
        // A vehicle that slows down does not turn into a bicycle.
        if before != .inVehicle, window.isLikeBicycle(atMps: speedMps) { return .onBicycle }
        if speedMps == nil, window.isBroadband, vehicleRMS.contains(window.rmsG) { return .inVehicle }
        return .unknown
    }

    /// False when a speed says that the device does not stand.
    static func mayStand(atMps mps: Double?) -> Bool { mps.map { $0 < standingMps } ?? true }

    /// - Parameter nanos: how long the activity has been going on.
    func confidence(after nanos: Int64) -> Int {
        let seconds = Double(nanos) / 1e9
        switch activity {
        case .still:
            guard seconds >= 4, Self.mayStand(atMps: speedMps) else { return Self.low }
            return seconds >= 10 ? Self.high : Self.medium
        case .walking:
            guard seconds >= 5, speedMps.map({ $0 < Self.walkingMps }) ?? true else { return Self.low }
            return seconds >= 10 ? Self.high : Self.medium
        case .running:
            guard seconds >= 5, window.rmsG >= Self.runningRMS else { return Self.low }
            return seconds >= 10 && speedMps.map(Self.runningMps.contains) ?? false ? Self.high : Self.medium
        case .onBicycle: return isCertainBicycle ? Self.medium : Self.low
        case .inVehicle:
            if isCertainVehicle { return Self.high }
            return (speedMps ?? 0) >= 3 ? Self.medium : Self.low
        case .onFoot, .tilting, .unknown: return Self.low
        }
    }
}
