extension AccelerometerLink {
    enum State: String {
        case off
        /// Found and configured; the first samples that differ are still to come.
        case starting
        case ok
        case fault
    }

    struct Settings {
        /// 7-bit; `nil`: wherever a known chip answers.
        var address: UInt8?
        /// Sampling while moving, at least.
        var rateHz: Int
        /// How late the loop may run a timer: more than real where time is scaled.
        var jitterMillis: Int64 = 20
    }
}
