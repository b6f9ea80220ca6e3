/// SplitMix64 (Steele et al. 2014): the same seed gives the same numbers on every machine.
public struct SplitMix: Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Uniform in [0, 1).
    public mutating func unit() -> Double { Self.unit(next()) }

    /// Mean 0 and deviation 1: the sum of twelve uniforms (Irwin–Hall), which needs no libm and so is the same
    /// everywhere; the tails end at 6.
    mutating func gauss() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += unit() }
        return sum
    }

    /// Noise as a pure function of a key; uniform sum of four, deviation 1, tails end at 3.5.
    static func noise(_ key: UInt64) -> Double {
        let bits = mixed(key &+ 0x9E37_79B9_7F4A_7C15)
        let sum = (0..<4).reduce(0.0) { $0 + Double((bits >> ($1 * 16)) & 0xFFFF) / 65_536 }
        // Four uniforms of variance 1/12 have deviation √(1/3).
        return (sum - 2) * 3.0.squareRoot()
    }

    private static func unit(_ bits: UInt64) -> Double { Double(bits >> 11) / 9_007_199_254_740_992 }

    private static func mixed(_ state: UInt64) -> UInt64 {
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
