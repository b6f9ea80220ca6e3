import TrackerModel

/// What 2 s of samples add up to.
struct MotionHop: Sendable {
    var seconds = 0.0
    /// Integrals over time of the magnitude and its square.
    var sumG = 0.0
    var sumSquares = 0.0
    /// Time with a run of steps on, and the integral of the cadence over it.
    var stepSeconds = 0.0
    var sumCadence = 0.0
    var isTilted = false
    var powers = ToneBank.Powers()

    var meanG: Double { seconds > 0 ? sumG / seconds : 1 }

    mutating func take(_ magnitude: Double, seconds spacing: Double, cadencePerMinute: Double?) {
        seconds += spacing
        sumG += magnitude * spacing
        sumSquares += magnitude * magnitude * spacing
        if let cadencePerMinute {
            stepSeconds += spacing
            sumCadence += cadencePerMinute * spacing
        }
    }
}

/// What the classifier decides by: two hops, 4 s (spec capture §13.5).
struct MotionWindow: Sendable {
    /// Of the deviation from the mean of the window, so that offset and drift of the sensor do not count.
    let rmsG: Double
    /// Steps a minute while steps filled at least half of the window.
    let cadencePerMinute: Double?
    let hasSteps: Bool
    /// Much of the window moves to and fro at 0.8–2 Hz.
    let hasPedalTone: Bool
    /// Most of the window is noise of 8–20 Hz that is no single tone.
    let isBroadband: Bool
    /// The attitude changed in the newer hop.
    let isTilted: Bool

    /// The part of the power that pedalling has; even noise would have 6 % there.
    private static let pedalPart = 0.2
    private static let bicycleMps = 2.5...9
    private static let bicycleRMS = 0.03...0.25
    private static let roadPart = 0.5
    private static let tonePart = 0.6

    init(_ older: MotionHop, _ newer: MotionHop) {
        let seconds = older.seconds + newer.seconds
        let mean = (older.sumG + newer.sumG) / seconds
        let variance = max(0, (older.sumSquares + newer.sumSquares) / seconds - mean * mean)
        rmsG = variance.squareRoot()
        let stepSeconds = older.stepSeconds + newer.stepSeconds
        hasSteps = stepSeconds > 0
        cadencePerMinute =
            stepSeconds >= seconds / 2 && hasSteps ? (older.sumCadence + newer.sumCadence) / stepSeconds : nil
        let pedal = (older.powers.pedal + newer.powers.pedal) / 2
        let road = (older.powers.road + newer.powers.road) / 2
        let pair = (older.powers.strongestPair + newer.powers.strongestPair) / 2
        hasPedalTone = pedal >= Self.pedalPart * variance
        isBroadband = road >= Self.roadPart * variance && pair <= Self.tonePart * road
        isTilted = newer.isTilted
    }

    /// The speed and the shaking of a bicycle (spec capture §13.5), which a car in a town has too.
    func isLikeBicycle(atMps mps: Double?) -> Bool {
        !hasSteps && Self.bicycleRMS.contains(rmsG) && mps.map(Self.bicycleMps.contains) ?? false
    }

    /// The same with the swing of pedalling.
    func isPedalled(atMps mps: Double?) -> Bool { hasPedalTone && isLikeBicycle(atMps: mps) }
}
