extension UARTSchedule {
    /// The epochs of a raw NMEA log: a chunk starts at the first RMC or GGA sentence with another UTC. A step of the UTC
    /// that is not positive, or longer than one hour, counts one second. Leading `#` lines are provenance and left out.
    public init(log: [UInt8]) {
        var chunks: [Chunk] = []
        var start = Self.endOfComments(log)
        var offset: Int64 = 0
        var last: Int64?
        for (position, utc) in Self.timedSentences(log, from: start) where utc != last {
            if let last {
                chunks.append(Chunk(offsetMillis: offset, bytes: Array(log[start..<position])))
                start = position
                let step = utc - last
                offset += (1...3_600_000).contains(step) ? step : 1_000
            }
            last = utc
        }
        if start < log.count { chunks.append(Chunk(offsetMillis: offset, bytes: Array(log[start...]))) }
        self.init(chunks: chunks)
    }

    private static func endOfComments(_ log: [UInt8]) -> Int {
        var at = 0
        while at < log.count, log[at] == UInt8(ascii: "#") {
            at = (log[at...].firstIndex(of: 0x0A) ?? log.count - 1) + 1
        }
        return at
    }

    /// Position and time of day in milliseconds of every RMC and GGA sentence that has one.
    private static func timedSentences(_ log: [UInt8], from start: Int) -> [(position: Int, utc: Int64)] {
        let (rmc, gga) = (Array("RMC,".utf8), Array("GGA,".utf8))
        var found: [(Int, Int64)] = []
        for position in log[start...].indices where log[position] == UInt8(ascii: "$") && position + 13 <= log.count {
            let name = log[position + 3..<position + 7]
            guard name.elementsEqual(rmc) || name.elementsEqual(gga) else { continue }
            if let utc = timeOfDay(log[(position + 7)...].prefix(16)) { found.append((position, utc)) }
        }
        return found
    }

    /// `hhmmss[.s…]` to milliseconds.
    private static func timeOfDay(_ field: ArraySlice<UInt8>) -> Int64? {
        let digits = field.prefix(6).map { Int64($0) - 48 }
        guard digits.count == 6, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        var millis = ((hours * 60 + minutes) * 60 + digits[4] * 10 + digits[5]) * 1_000
        var rest = field.dropFirst(6)
        if rest.popFirst() == UInt8(ascii: ".") {
            var weight: Int64 = 100
            while let byte = rest.popFirst(), (48...57).contains(byte) {
                millis += Int64(byte - 48) * weight
                weight /= 10
            }
        }
        return millis
    }
}
