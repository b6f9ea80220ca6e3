/// What the operator wants of the receiver's line.
struct ReceiverSettings {
    /// Bits per second; `nil`: found by listening.
    var baud: Int?
    /// 1…10.
    var rateHz: Int
    var configure: Bool
    /// How many times faster than real time the reactor's clock runs.
    var timeScale: Double
    var powerControl = ReceiverPowerControl.none
}

/// Where the link keeps what it must know after a restart. Best effort: without it everything is looked for afresh.
struct ReceiverMemoryPlace {
    var read: () -> String?
    var write: (String) -> Void
}
