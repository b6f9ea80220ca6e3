/// How far the device's own sensors can be trusted with motion (spec api §9), best first.
public enum MotionQuality: String, Sendable {
    case full
    /// The accelerometer works but is short of something: stops take twice `motion.stopTimeoutMin`.
    case degraded
    /// No accelerometer, or one that fails: the receiver alone tells motion.
    case poor
}
