import TrackerModel

/// Boot time, or boot time run faster or slower from a starting moment on: `start + (boot − start) · scale`.
struct ScaledClock {
    let scale: Double
    /// Boot and wall clock at the start, nanoseconds.
    let startBootNanos: Int64
    let startWallNanos: Int64

    /// - Parameter scale: > 0 and finite; anything else is refused with `nil`.
    init?(scale: Double, startBootNanos: Int64, startWallNanos: Int64) {
        guard scale.isFinite, scale > 0 else { return nil }
        self.scale = scale
        self.startBootNanos = startBootNanos
        self.startWallNanos = startWallNanos
    }

    var isReal: Bool { scale == 1 }

    func instant(atBootNanos boot: Int64) -> Instant {
        if isReal { return Instant(nanos: boot) }
        let elapsed = (Double(boot - startBootNanos) * scale).rounded(.down)
        return Instant(nanos: startBootNanos).advanced(byNanos: Self.clamped(elapsed))
    }

    /// The boot time in nanoseconds at which `instant` is reached, to the nanosecond: a sleeper looks at the clock again
    /// when it wakes. At least 1, because 0 disarms a timer.
    func bootNanos(reaching instant: Instant) -> Int64 {
        if isReal { return max(1, instant.nanos) }
        let elapsed = (Double(instant.nanos(since: Instant(nanos: startBootNanos))) / scale).rounded(.up)
        return max(1, Instant(nanos: startBootNanos).advanced(byNanos: Self.clamped(elapsed)).nanos)
    }

    /// The wall clock run along: real it is the host's, scaled it departs from where the host's was at the start.
    func wallMillis(now: Instant, hostWallNanos: Int64) -> Int64 {
        if isReal { return hostWallNanos / 1_000_000 }
        return startWallNanos / 1_000_000 + now.millis(since: Instant(nanos: startBootNanos))
    }

    /// 2^63 is the first double that does not fit.
    private static func clamped(_ value: Double) -> Int64 {
        if value >= 0x1p63 { return .max }
        return value <= -0x1p63 ? .min : Int64(value)
    }
}
