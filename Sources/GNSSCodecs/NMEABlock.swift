/// Sixteen characters of a stream that are judged at once.
///
/// Both sides of each comparison are vectors: only for those the compiler has single instructions.
struct NMEABlock {
    static let length = 16

    let characters: SIMD16<UInt8>

    /// The bytes from `place` on, 0 in place of those beyond the end.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        if place &+ Self.length <= bytes.count {
            characters = bytes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
        } else {
            var last = SIMD16<UInt8>()
            withUnsafeMutableBytes(of: &last) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place...])) }
            characters = last
        }
    }

    /// Those that may stand in a sentence and neither begin nor end its checksum or another sentence: 0x20…0x7E without
    /// `$` and `*`.
    @inline(__always)
    var ordinary: SIMDMask<SIMD16<Int8>> {
        (characters .>= SIMD16(repeating: 0x20)) .& (characters .<= SIMD16(repeating: 0x7E))
            .& (characters .!= SIMD16(repeating: UInt8(ascii: "$")))
            .& (characters .!= SIMD16(repeating: UInt8(ascii: "*")))
    }

    @inline(__always)
    var commas: SIMDMask<SIMD16<Int8>> { characters .== SIMD16(repeating: UInt8(ascii: ",")) }

    /// XOR of the first so many characters; fewer than all.
    @inline(__always)
    func sum(ofFirst count: Int) -> UInt8 {
        let halves = unsafeBitCast(characters, to: SIMD2<UInt64>.self)
        let isLong = count >= 8
        let (whole, cut) = (isLong ? halves[0] : 0, isLong ? halves[1] : halves[0])
        return Self.fold(whole ^ cut & ((1 &<< UInt64(truncatingIfNeeded: 8 &* (count & 7))) &- 1))
    }

    /// XOR of sixteen characters.
    @inline(__always)
    static func sum(_ characters: SIMD16<UInt8>) -> UInt8 {
        let halves = unsafeBitCast(characters, to: SIMD2<UInt64>.self)
        return fold(halves[0] ^ halves[1])
    }

    @inline(__always)
    private static func fold(_ characters: UInt64) -> UInt8 {
        var folded = characters ^ characters &>> 32
        folded ^= folded &>> 16
        folded ^= folded &>> 8
        return UInt8(truncatingIfNeeded: folded)
    }
}

extension SIMDMask<SIMD16<Int8>> {
    @inline(__always)
    var isAll: Bool {
        let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self)
        return halves[0] & halves[1] == .max
    }

    /// Bit 0 for the first, bit 15 for the last.
    @inline(__always)
    var bits: UInt64 {
        // Leaves in each byte the bit of its place, and adds them up in the highest byte.
        let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x8040_2010_0804_0201)
        let (low, high) = (halves[0] &* 0x0101_0101_0101_0101, halves[1] &* 0x0101_0101_0101_0101)
        return low &>> 56 | (high &>> 56) &<< 8
    }
}
