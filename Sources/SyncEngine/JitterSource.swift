/// Reproducible jitter: FNV-1a of the device id seeds a linear congruential generator (Knuth's MMIX constants).
struct JitterSource {
    private var state: UInt64

    init(seed: String) {
        state = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Uniform in −20…20.
    mutating func nextPercent() -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64(state >> 33) % 41 - 20
    }
}
