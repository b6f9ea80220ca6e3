/// A sentence whose checksum is right, where it lies in memory: no copy, valid while those bytes are.
struct SentenceText {
    /// What is between `$` and `*`.
    let body: UnsafeBufferPointer<UInt8>
    /// Where in `body` the commas are.
    let commas: NMEASeparators
    /// It began with `!`: encapsulated data, never a position.
    let isEncapsulated: Bool

    /// From `$` to the last checksum digit.
    var length: Int { body.count + NMEAFramer.overhead }

    @inline(__always)
    var kind: NMEASentence.Kind { isEncapsulated ? .other : NMEASentence.Kind(address: body) }

    @inline(__always)
    var fields: NMEAFields { NMEAFields(body, commas: commas) }

    /// Decodes it.
    func sentence(_ kind: NMEASentence.Kind) throws(MalformedSentence) -> NMEASentence {
        try NMEASentence(kind, fields)
    }
}

extension SentenceText {
    /// Whether a sentence can begin with this byte.
    @inline(__always)
    static func begins(with byte: UInt8) -> Bool { byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") }

    /// The sentence that begins at `start`, as nearly all do: whole, in order, its checksum in capital letters.
    ///
    /// `nil` says nothing but that the bytes must be looked at one by one, with a `NMEAFramer`.
    @inline(__always)
    init?(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard Self.begins(with: bytes[start]),
            let extent = SentenceExtent(UnsafeBufferPointer(rebasing: bytes[(start + 1)...]))
        else { return nil }
        body = UnsafeBufferPointer(rebasing: bytes[start + 1..<start + 1 + extent.count])
        commas = extent.commas
        isEncapsulated = bytes[start] == UInt8(ascii: "!")
    }
}

/// How far the body of a sentence with a right checksum reaches.
private struct SentenceExtent {
    /// Characters.
    let count: Int
    let commas: NMEASeparators

    /// One pass over the characters, sixteen at a time.
    /// - Parameter bytes: those after `$`, whatever follows them.
    // Inlined it would share its registers with all that is done with a sentence. What it returns fits into registers.
    @inline(never)
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawBufferPointer(bytes)
        var (count, sums, commas) = (0, SIMD16<UInt8>(), NMEASeparators())
        var block = NMEABlock(bytes, at: 0)
        while block.ordinary.isAll {
            guard count &+ NMEABlock.length <= NMEAFramer.longestBody else { return nil }
            sums ^= block.characters
            commas.insert(block.commas.bits, at: count)
            count &+= NMEABlock.length
            block = NMEABlock(bytes, at: count)
        }
        // The block in which it ends.
        let last = (~block.ordinary.bits).trailingZeroBitCount
        commas.insert(block.commas.bits & ((1 &<< UInt64(last)) &- 1), at: count)
        count &+= last
        let sum = NMEABlock.sum(sums) ^ block.sum(ofFirst: last)
        guard count <= NMEAFramer.longestBody, count &+ 2 < bytes.count, bytes[count] == UInt8(ascii: "*"),
            bytes[count &+ 1] == Self.digit(sum &>> 4), bytes[count &+ 2] == Self.digit(sum & 15)
        else { return nil }
        self.count = count
        self.commas = commas
    }

    /// `0`…`9`, `A`…`F` for 0…15.
    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value &+ UInt8(ascii: "0") &+ (value &+ 6) &>> 4 &* (UInt8(ascii: "A") &- UInt8(ascii: "9") &- 1)
    }
}
