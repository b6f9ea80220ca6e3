/// How the fixes of a simulated track differ from the truth. The error of a position is a slow wandering (Gauss–Markov,
/// the same on both axes) and white noise; that of the velocity is white on both axes, so that speed and course follow
/// from it as they do in a receiver: at rest a speed near nothing and any course.
public struct TrackNoise: Equatable, Sendable {
    /// Deviation of the wandering on each axis, metres.
    public var sigmaM = 4.0
    /// After this long a third (1/e) of the wandering is left, seconds. Ionosphere, troposphere and reflections change
    /// over a minute or some.
    public var correlationSeconds = 60.0
    /// Deviation of the white part on each axis, metres.
    public var whiteM = 0.3
    /// Deviation of the measured velocity on each axis, m/s; `nil`: the receiver tells neither speed nor course. Receivers
    /// of this class promise 0.05 m/s as the radius that holds half of them, which is 0.042 on an axis.
    public var dopplerMps: Double? = 0.05
    /// What the receiver says of its speed's accuracy, m/s; `nil` when it does not say (NMEA).
    public var speedAccuracyMps: Double? = 0.3
    /// Reported accuracy over `sigmaM`. The default makes it what it should be, the radius that holds 68 % (spec
    /// capture §3); receivers that report one deviation instead have 1.
    public var accuracyFactor = 1.5096
    /// The reported accuracy is up to this share larger or smaller, slowly changing.
    public var accuracySpread = 0.2
    /// The least that is reported, metres.
    public var accuracyFloorM = 2.0

    public init() {}

    /// No errors at all, and a reported accuracy as good as that of an open sky.
    public static var none: TrackNoise {
        var noise = TrackNoise()
        noise.sigmaM = 0
        noise.whiteM = 0
        noise.dopplerMps = 0
        noise.accuracyFloorM = 4
        return noise
    }

    /// A wandering of this deviation, reported honestly.
    public static func wandering(sigmaM: Double) -> TrackNoise {
        var noise = TrackNoise()
        noise.sigmaM = sigmaM
        return noise
    }

    /// Between high walls: 30 m of wandering from reflections, told as half of it, over three minutes.
    public static var canyon: TrackNoise {
        var noise = TrackNoise()
        noise.sigmaM = 30
        noise.correlationSeconds = 180
        noise.accuracyFactor = 0.75
        noise.dopplerMps = 0.15
        return noise
    }

    public func withoutDoppler() -> TrackNoise {
        var noise = self
        noise.dopplerMps = nil
        return noise
    }
}
