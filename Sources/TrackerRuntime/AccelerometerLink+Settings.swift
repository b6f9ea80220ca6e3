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
        /// The kernel is asked for an accelerometer whatever is wrong with the bus; else where it has the address.
        var takesAnyDriver = false
        /// How late the loop may run a timer: more than real where time is scaled.
        var jitterMillis: Int64 = 20
    }
}
