/// One sample as the output registers hold it: two's complement.
struct RawSample: Equatable, Sendable {
    var x: Int16 = 0
    var y: Int16 = 0
    var z: Int16 = 0

    /// Byte 0…5 in the order of the output registers, low byte first.
    func byte(_ index: Int) -> UInt8 {
        let axis = UInt16(bitPattern: index < 2 ? x : index < 4 ? y : z)
        return UInt8(truncatingIfNeeded: index % 2 == 0 ? axis : axis >> 8)
    }

    /// All six, high byte first or last.
    func bytes(isBigEndian: Bool) -> [UInt8] { (0..<6).map { byte(isBigEndian ? $0 ^ 1 : $0) } }
}

extension Acceleration {
    /// In digits, limited to the size of a word of `bits`.
    func raw(countsPerG: Double, bits: Int = 16) -> RawSample {
        let limit = Double(1 << (bits - 1))
        func digits(_ g: Double) -> Int16 { Int16(min(limit - 1, max(-limit, (g * countsPerG).rounded()))) }
        return RawSample(x: digits(x), y: digits(y), z: digits(z))
    }

    func adding(_ force: Acceleration) -> Acceleration {
        Acceleration(x: x + force.x, y: y + force.y, z: z + force.z)
    }

    /// The largest difference on any axis.
    func largestChange(from other: Acceleration) -> Double {
        max(abs(x - other.x), abs(y - other.y), abs(z - other.z))
    }
}
