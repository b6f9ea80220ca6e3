/// The one-pole high-pass in front of the interrupt and, with FDS, of the output.
struct HighPassFilter: Sendable {
    private var input: Acceleration?
    private var value = Acceleration()

    /// - Parameter ratio: cut-off over sample rate.
    mutating func step(_ new: Acceleration, ratio: Double) -> Acceleration {
        guard let old = input else {
            input = new
            return value
        }
        let keep = 1 / (1 + 2 * Double.pi * ratio)
        value.x = keep * (value.x + new.x - old.x)
        value.y = keep * (value.y + new.y - old.y)
        value.z = keep * (value.z + new.z - old.z)
        input = new
        return value
    }

    /// Takes the next input as the new rest position, at once.
    mutating func reset() {
        input = nil
        value = Acceleration()
    }
}
