/// Eight characters of a stream that are judged at once, one in each byte; the first is in the lowest.
struct NMEAWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits = ones &* 0x80

    /// How many from the first on may stand in a sentence and neither begin nor end its checksum or another sentence:
    /// 0x20…0x7E without `$` and `*`.
    let ordinaryCount: Int
    /// The bytes of those, the others 0.
    let ordinary: UInt64

    @inline(__always)
    init(_ characters: UInt64) {
        // Each term sets the high bit of a byte that is not ordinary. A sum may carry out of a byte of 0x80 and more,
        // but only into later ones.
        let control = ~(characters &+ Self.ones &* 0x60)
        let delete = characters &+ Self.ones
        let others = Self.matches(of: "$", in: characters) | Self.matches(of: "*", in: characters)
        let found = (characters | control | delete | others) & Self.highBits
        if found == 0 {
            (ordinaryCount, ordinary) = (8, characters)
        } else {
            ordinaryCount = found.trailingZeroBitCount / 8
            ordinary = characters & ((1 &<< UInt64(8 * ordinaryCount)) &- 1)
        }
    }

    /// Whether all eight are from `+` to `~`: what sentences mostly consist of, and quicker to tell.
    @inline(__always)
    static func isPlain(_ characters: UInt64) -> Bool {
        let (belowPlus, delete) = (~(characters &+ ones &* 0x55), characters &+ ones)
        return (characters | belowPlus | delete) & highBits == 0
    }

    /// Bit 0 is set when the first of eight ordinary characters is a comma, bit 1 for the second, and so on.
    @inline(__always)
    static func commas(in characters: UInt64) -> UInt64 {
        let found = matches(of: ",", in: characters) & highBits
        // Moves the high bits of the eight bytes side by side, into the highest byte.
        return ((found &>> 7) &* 0x0102_0408_1020_4080) &>> 56
    }

    /// XOR of eight characters.
    static func sum(_ characters: UInt64) -> UInt8 {
        var folded = characters ^ characters &>> 32
        folded ^= folded &>> 16
        folded ^= folded &>> 8
        return UInt8(truncatingIfNeeded: folded)
    }

    /// The high bit of each byte is set where it is this character; only of characters below 0x80.
    @inline(__always)
    private static func matches(of character: Unicode.Scalar, in characters: UInt64) -> UInt64 {
        ~((characters ^ ones &* UInt64(UInt8(ascii: character))) &+ (highBits &- ones))
    }
}
