/// Where the commas of a sentence are: one bit for each of at most 128 characters.
///
/// They are noted while the sentence comes in, so that nobody has to search it for its fields.
struct NMEASeparators {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    /// Adds `place` for bit 0 of `bits`, the place after it for bit 1, and so on.
    /// - Parameter bits: only the lowest sixteen may be set; where others than the lowest are, `place` is a multiple of 16.
    @inline(__always)
    mutating func insert(_ bits: UInt64, at place: Int) {
        if place < 64 {
            low |= bits &<< UInt64(truncatingIfNeeded: place)
        } else {
            high |= bits &<< UInt64(truncatingIfNeeded: place &- 64)
        }
    }

    @inline(__always)
    mutating func removeFirst() -> Int? {
        if low != 0 {
            let place = low.trailingZeroBitCount
            low &= low &- 1
            return place
        }
        guard high != 0 else { return nil }
        let place = 64 + high.trailingZeroBitCount
        high &= high &- 1
        return place
    }

    mutating func removeLast() -> Int? {
        if high != 0 {
            let place = 127 - high.leadingZeroBitCount
            high ^= 1 &<< UInt64(place - 64)
            return place
        }
        guard low != 0 else { return nil }
        let place = 63 - low.leadingZeroBitCount
        low ^= 1 &<< UInt64(place)
        return place
    }
}
