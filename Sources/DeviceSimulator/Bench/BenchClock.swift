import TrackerModel

/// The time of a simulated device, or of several that must agree: it stands at zero until it is started.
public final class BenchClock {
    /// Seconds of the devices in one of ours; positive.
    public let speed: Double
    /// On the monotonic clock of the machine.
    private(set) var startedAt: Int64?

    public init(speed: Double = 1) { self.speed = speed }

    /// Starts it unless it runs.
    func start() {
        if startedAt == nil { startedAt = Monotonic.nanos() }
    }

    var now: Instant {
        guard let startedAt else { return .zero }
        return Instant(nanos: DeviceSimulator.nanos(ofSeconds: Double(Monotonic.nanos() - startedAt) / 1e9 * speed))
    }

    /// Nanoseconds of the machine until the clock shows `instant`, 0 when it has; `.max` while it stands.
    func nanos(until instant: Instant) -> Int64 {
        guard let startedAt, instant != .never else { return .max }
        let due = DeviceSimulator.nanos(ofSeconds: instant.seconds(since: .zero) / speed)
        return max(0, due - (Monotonic.nanos() - startedAt))
    }
}
