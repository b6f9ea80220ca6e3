/// The errors of a receiver at any instant: those of whole seconds, and a straight line between them.
struct ErrorTrack: Sendable {
    private var source: ReceiverErrors
    private var second = 0
    private var here: ReceiverErrors.Draw
    private var next: ReceiverErrors.Draw

    init(seed: UInt64, sigmaM: Double) {
        source = ReceiverErrors(seed: seed, sigmaM: sigmaM)
        here = source.next()
        next = source.next()
    }

    /// Seconds never decrease from one call to the next.
    mutating func draw(at seconds: Double) -> ReceiverErrors.Draw {
        while Double(second + 1) <= seconds {
            (here, next) = (next, source.next())
            second += 1
        }
        let part = min(1, max(0, seconds - Double(second)))
        func between(_ path: KeyPath<ReceiverErrors.Draw, Double>) -> Double {
            here[keyPath: path] * (1 - part) + next[keyPath: path] * part
        }
        var draw = here
        draw.east = between(\.east)
        draw.north = between(\.north)
        draw.up = between(\.up)
        return draw
    }
}
