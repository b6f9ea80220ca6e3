import TrackerModel

/// What a journey is made of: a wait, a trip, a wait.
struct JourneyPlan: Sendable {
    struct Trip: Sendable {
        var path: RoutePath
        var limits: SpeedProfile.Limits
        var stops: [SpeedProfile.Stop] = []
        var activity: MotionScript.Activity
        /// While it stands at a stop.
        var stopActivity: MotionScript.Activity
        /// Where the sky is lost, in metres, and for how long.
        var outage: (atM: Double, seconds: Double)?
    }

    var name: String
    /// One line for `journey --list`.
    var summary: String
    var start: UTCTime
    var defaultSeed: UInt64
    var parkedBeforeSeconds: Double
    var trip: Trip?
    var parkedAfterSeconds = 0.0
    /// Deviation of the slow position error, metres an axis.
    var positionSigmaM = 3.0
    /// GST sentences tell the accuracy.
    var sendsGST = false
}
