/// Power of single frequencies over one stretch of about 2 s: a Goertzel-like sum for each multiple of 0.5 Hz that is
/// asked about, turned by the true time of every sample.
///
/// Over 2 s these frequencies do not see each other, nor a constant; the powers of neighbours add up to the power of
/// what lies between them.
struct ToneBank: Sendable {
    /// Frequencies are multiples of this: the resolution of 2 s.
    private static let stepHz = 0.5
    /// Pedalling: 1, 1.5 and 2 Hz, each good for ±0.25 Hz (spec capture §13.5: 0.8–2 Hz).
    private static let pedalSteps = 2...4
    /// Wheels and engine: 8 to 20 Hz (spec capture §13.5).
    private static let roadSteps = 16...40
    /// Frequencies from this part of the sampling rate on are mirror images of lower ones.
    private static let usablePart = 0.5

    /// What the stretch holds, in g².
    struct Powers: Equatable, Sendable {
        var pedal = 0.0
        var road = 0.0
        /// The strongest two neighbours in the road band: most of it when it is one tone and not broad noise.
        var strongestPair = 0.0
    }

    private struct Tone: Sendable {
        let step: Int
        /// By how much the phase turns with a sample.
        var turnCos = 1.0
        var turnSin = 0.0
        var phaseCos = 1.0
        var phaseSin = 0.0
        var sumCos = 0.0
        var sumSin = 0.0
    }

    private var tones = (Array(ToneBank.pedalSteps) + Array(ToneBank.roadSteps)).map { Tone(step: $0) }
    private var spacingNanos: Int64 = 0
    private var seconds = 0.0
    private var count = 0

    /// Adds a deviation in g, `nanos` (up to a gap) after the one before.
    mutating func take(_ deviation: Double, after nanos: Int64) {
        if nanos != spacingNanos { setSpacing(nanos) }
        let spacing = Double(nanos) / 1e9
        let weighted = deviation * spacing
        seconds += spacing
        count += 1
        for index in tones.indices {
            let tone = tones[index]
            let phaseCos = tone.phaseCos * tone.turnCos - tone.phaseSin * tone.turnSin
            let phaseSin = tone.phaseSin * tone.turnCos + tone.phaseCos * tone.turnSin
            tones[index].phaseCos = phaseCos
            tones[index].phaseSin = phaseSin
            tones[index].sumCos += weighted * phaseCos
            tones[index].sumSin += weighted * phaseSin
        }
    }

    /// Ends the stretch and begins the next.
    mutating func finish() -> Powers {
        var powers = Powers()
        var before = 0.0
        let limitHz = seconds > 0 ? Self.usablePart * Double(count) / seconds : 0
        for index in tones.indices {
            let tone = tones[index]
            // A sine of amplitude a sums up to a·T/2, and its power is a²/2.
            let power =
                seconds > 0 ? 2 * (tone.sumCos * tone.sumCos + tone.sumSin * tone.sumSin) / (seconds * seconds) : 0
            if Self.pedalSteps.contains(tone.step) {
                powers.pedal += power
            } else if Double(tone.step) * Self.stepHz < limitHz {
                powers.road += power
                powers.strongestPair = max(powers.strongestPair, before + power)
                before = power
            }
            restart(index)
        }
        seconds = 0
        count = 0
        return powers
    }

    private mutating func restart(_ index: Int) {
        tones[index].phaseCos = 1
        tones[index].phaseSin = 0
        tones[index].sumCos = 0
        tones[index].sumSin = 0
    }

    /// Works out the turns for a new spacing: that of 0.5 Hz by its series (0.8 rad at most), the others as its powers.
    private mutating func setSpacing(_ nanos: Int64) {
        spacingNanos = nanos
        let angle = 2 * Double.pi * Self.stepHz * Double(nanos) / 1e9
        let square = angle * angle
        let sine = angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))))
        let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
        var (turnCos, turnSin) = (1.0, 0.0)
        var step = 0
        for index in tones.indices {
            while step < tones[index].step {
                (turnCos, turnSin) = (turnCos * cosine - turnSin * sine, turnSin * cosine + turnCos * sine)
                step += 1
            }
            tones[index].turnCos = turnCos
            tones[index].turnSin = turnSin
        }
    }
}
