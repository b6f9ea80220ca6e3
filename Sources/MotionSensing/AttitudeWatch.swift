import TrackerModel

/// Sees the device turned over: the direction of gravity now against that of one second before.
struct AttitudeWatch: Sendable {
    /// Gravity is what is left of the acceleration below about 0.6 Hz.
    private static let gravitySeconds = 0.25
    private static let lookNanos: Int64 = 200_000_000
    /// Looks in one second.
    private static let lookCount = 5
    /// Cosine of 20° (spec capture §13.5).
    private static let cosineOfTilt = 0.939_692_620_785_908_4
    /// Below this gravity, in g, there is no direction: free fall.
    private static let leastG = 0.5

    private struct Direction: Sendable {
        var x = 0.0
        var y = 0.0
        var z = 0.0
    }

    private var x = LowPass(timeConstantSeconds: AttitudeWatch.gravitySeconds)
    private var y = LowPass(timeConstantSeconds: AttitudeWatch.gravitySeconds)
    private var z = LowPass(timeConstantSeconds: AttitudeWatch.gravitySeconds)
    /// The looks of the last second, as a ring.
    private var looks = [Direction](repeating: Direction(), count: AttitudeWatch.lookCount)
    private var next = 0
    private var filled = 0
    private var lastLook = Instant.zero

    mutating func begin(_ sample: MotionSample) {
        x.restart(at: sample.x)
        y.restart(at: sample.y)
        z.restart(at: sample.z)
        next = 0
        filled = 0
        lastLook = sample.instant
    }

    /// True when the attitude differs by more than 20° from that of a second before.
    mutating func take(_ sample: MotionSample, after nanos: Int64) -> Bool {
        let now = Direction(
            x: x.take(sample.x, after: nanos), y: y.take(sample.y, after: nanos), z: z.take(sample.z, after: nanos))
        guard sample.instant.nanos(since: lastLook) >= Self.lookNanos else { return false }
        lastLook = sample.instant
        let before = looks[next]
        let isTilted = filled == Self.lookCount && Self.isTurned(now, before)
        looks[next] = now
        next = (next + 1) % Self.lookCount
        filled = min(filled + 1, Self.lookCount)
        return isTilted
    }

    private static func isTurned(_ a: Direction, _ b: Direction) -> Bool {
        let product = a.x * b.x + a.y * b.y + a.z * b.z
        let squares = (a.x * a.x + a.y * a.y + a.z * a.z) * (b.x * b.x + b.y * b.y + b.z * b.z)
        return squares >= leastG * leastG * leastG * leastG && product < cosineOfTilt * squares.squareRoot()
    }
}
