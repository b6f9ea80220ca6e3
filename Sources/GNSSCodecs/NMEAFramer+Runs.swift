extension NMEAFramer {
    /// Takes bytes up to and with the one that makes an event, or all: what `push` does for each of them.
    mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int) -> Event {
        while index < bytes.count {
            if state == .body {
                index += absorb(bytes, from: index)
                if isCompleted(by: bytes, at: index) {
                    index += 3
                    return drop(.sentence)
                }
                guard index < bytes.count else { break }
            }
            let event = push(bytes[index])
            index += 1
            if event != .nothing { return event }
        }
        return .nothing
    }

    /// Takes ordinary characters of a sentence as long as eight at a time can be looked at.
    /// - Returns: how many bytes were taken; 0 outside the body of a sentence.
    @inline(__always)
    mutating func absorb(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
        guard state == .body else { return 0 }
        let (source, start) = (UnsafeRawBufferPointer(bytes), count)
        let room = min(bytes.count - index, Self.longestBody - start)
        var (taken, sums, commas) = (0, UInt64(0), commas)
        buffer.withUnsafeMutableBytes { buffer in
            while taken + 8 <= room {
                let loaded = source.loadUnaligned(fromByteOffset: index + taken, as: UInt64.self)
                // What is not taken of it is overwritten by the next characters.
                buffer.storeBytes(of: loaded, toByteOffset: start + taken, as: UInt64.self)
                let word = NMEAWord(UInt64(littleEndian: loaded))
                sums ^= word.ordinary
                commas.insert(word.commas, at: start + taken)
                taken += word.ordinaryCount
                if word.ordinaryCount < 8 { break }
            }
        }
        count = start + taken
        sum ^= NMEAWord.sum(sums)
        self.commas = commas
        return taken
    }

    /// Whether `*` and both digits of the right checksum come next.
    private func isCompleted(by bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "*"),
            let high = Self.hexadecimal(bytes[index + 1]), let low = Self.hexadecimal(bytes[index + 2])
        else { return false }
        return high << 4 | low == sum
    }
}
