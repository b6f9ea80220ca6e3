import TrackerModel

/// Boot time, or boot time run `scale` times faster from boot on: a daemon that is started again in the same boot finds
/// its clock where it left it.
struct ScaledClock {
    let scale: Double
    /// What the wall clock shows at instant zero, nanoseconds, so that scaled wall time starts at the host's.
    private let wallAtZeroNanos: Int64

    /// - Parameters:
    ///   - scale: > 0 and finite; anything else is refused with `nil`.
    ///   - bootNanos, wallNanos: both clocks at this moment.
    init?(scale: Double, bootNanos: Int64, wallNanos: Int64) {
        guard scale.isFinite, scale > 0 else { return nil }
        self.scale = scale
        wallAtZeroNanos = Instant(nanos: wallNanos).nanos(
            since: Instant(nanos: Self.clamped((Double(bootNanos) * scale).rounded())))
    }

    var isReal: Bool { scale == 1 }

    func instant(atBootNanos boot: Int64) -> Instant {
        isReal ? Instant(nanos: boot) : Instant(nanos: Self.clamped((Double(boot) * scale).rounded(.down)))
    }

    /// The boot time in nanoseconds at which `instant` is reached; the rounding of a double is left to the sleeper, who
    /// looks at the clock again when it wakes. At least 1, because 0 disarms a timer.
    func bootNanos(reaching instant: Instant) -> Int64 {
        if isReal { return max(1, instant.nanos) }
        return max(1, Self.clamped((Double(instant.nanos) / scale).rounded(.up)))
    }

    /// The wall clock run along: real it is the host's, scaled it departs from where the host's was at the start.
    func wallMillis(now: Instant, hostWallNanos: Int64) -> Int64 {
        isReal ? hostWallNanos / 1_000_000 : now.advanced(byNanos: wallAtZeroNanos).nanos / 1_000_000
    }

    /// 2^63 is the first double that does not fit.
    private static func clamped(_ value: Double) -> Int64 {
        if value >= 0x1p63 { return .max }
        return value <= -0x1p63 ? .min : Int64(value)
    }
}
