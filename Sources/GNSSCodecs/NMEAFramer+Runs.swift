extension NMEAFramer {
    /// Takes bytes up to and with the one that makes an event, or all: what `push` does for each of them.
    mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int) -> Event {
        var at = index
        defer { index = at }
        while at < bytes.count {
            if state == .body {
                at &+= absorb(bytes, from: at)
                if isCompleted(by: bytes, at: at) {
                    at &+= 3
                    return drop(.sentence)
                }
            }
            guard at < bytes.count else { break }
            let event = push(bytes[at])
            at &+= 1
            if event != .nothing { return event }
        }
        return .nothing
    }

    /// Takes ordinary characters of a sentence as long as eight at a time can be looked at.
    /// - Returns: how many bytes were taken; 0 outside the body of a sentence.
    @inline(__always)
    mutating func absorb(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
        guard state == .body else { return 0 }
        let room = min(bytes.count - index, Self.longestBody - count)
        guard room >= 8, let source = bytes.baseAddress else { return 0 }
        let start = count
        let taken = buffer.withUnsafeMutableBytes { buffer in
            guard let target = buffer.baseAddress else { return 0 }
            return Self.copy(
                UnsafeRawPointer(source + index), to: target + start, room: room, at: start, &commas, &sum)
        }
        count = start + taken
        return taken
    }

    /// Copies ordinary characters, noting their commas from `place` on and their checksum.
    @inline(__always)
    private static func copy(
        _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, room: Int, at place: Int,
        _ commas: inout NMEASeparators, _ sum: inout UInt8
    ) -> Int {
        var (taken, sums, found) = (0, UInt64(0), NMEASeparators())
        while taken &+ 8 <= room {
            let loaded = source.loadUnaligned(fromByteOffset: taken, as: UInt64.self)
            // What is not taken of it is overwritten by the next characters.
            target.storeBytes(of: loaded, toByteOffset: taken, as: UInt64.self)
            var (characters, count) = (UInt64(littleEndian: loaded), 8)
            if !NMEAWord.isPlain(characters) {
                let word = NMEAWord(characters)
                (characters, count) = (word.ordinary, word.ordinaryCount)
            }
            sums ^= characters
            found.insert(NMEAWord.commas(in: characters), at: place &+ taken)
            taken &+= count
            if count < 8 { break }
        }
        commas.formUnion(found)
        sum ^= NMEAWord.sum(sums)
        return taken
    }

    /// Whether `*` and both digits of the right checksum come next.
    private func isCompleted(by bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index &+ 2 < bytes.count, bytes[index] == UInt8(ascii: "*"),
            let high = Self.hexadecimal(bytes[index &+ 1]), let low = Self.hexadecimal(bytes[index &+ 2])
        else { return false }
        return high << 4 | low == sum
    }
}
