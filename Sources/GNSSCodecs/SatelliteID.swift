import TrackerModel

/// A satellite by its system and its number there, whatever numbering the receiver uses.
struct SatelliteID: Equatable {
    var constellation: Constellation
    var number: UInt8

    /// `nil` for a number that no numbering in use has.
    /// - Parameters:
    ///   - number: as the receiver gives it: the system's own, or one of a common range (NMEA 4.11 for GPS, SBAS and
    ///     GLONASS; u-blox "extended" and SkyTraq, Telit and Mediatek for the rest).
    ///   - system: whose sentence it is in; `nil` when it is one of several systems (talker GN without a system).
    init?(number: Int, of system: Constellation?) {
        switch (system, number) {
        case (.glonass, 1...32): self.init(.glonass, number)
        case (.galileo, 1...36): self.init(.galileo, number)
        case (.galileo, 211...246): self.init(.galileo, number - 210)
        case (.beidou, 1...63): self.init(.beidou, number)
        case (.qzss, 1...10): self.init(.qzss, number)
        case (.qzss, 193...202): self.init(.qzss, number - 192)
        case (.navic, 1...14): self.init(.navic, number)
        case (.galileo, ..<301), (.beidou, ..<201), (.qzss, _), (.navic, _): return nil
        case (_, 1...32): self.init(.gps, number)
        case (_, 33...64): self.init(.sbas, number + 87)
        case (_, 65...99): self.init(.glonass, number - 64)
        case (_, 120...158): self.init(.sbas, number)
        case (_, 193...200): self.init(.qzss, number - 192)
        case (_, 201...263): self.init(.beidou, number - 200)
        case (_, 301...336): self.init(.galileo, number - 300)
        case (_, 401...463): self.init(.beidou, number - 400)
        default: return nil
        }
    }

    private init(_ constellation: Constellation, _ number: Int) {
        (self.constellation, self.number) = (constellation, UInt8(truncatingIfNeeded: number))
    }

    /// 1…63: its place in a set. SBAS numbers begin with 120.
    var slot: Int { Int(constellation == .sbas ? number - 119 : number) }
}

extension Constellation {
    /// Of a GSV or GSA by the two letters ahead of it; `nil` for GN, which stands for several.
    init?(talker: UInt16) {
        switch talker {
        case 0x47_50: self = .gps
        case 0x47_4C: self = .glonass
        case 0x47_41: self = .galileo
        // GB; BD before NMEA 4.11; PQ of Quectel modules.
        case 0x47_42, 0x42_44, 0x50_51: self = .beidou
        case 0x47_51, 0x51_5A: self = .qzss
        case 0x47_49: self = .navic
        default: return nil
        }
    }

    /// The system of NMEA 4.11, last field of GSA; `nil` when it is empty or reserved, or of a receiver that has another
    /// dilution there.
    init?(system: NMEAField) {
        switch try? system.letter() {
        case UInt8(ascii: "1"): self = .gps
        case UInt8(ascii: "2"): self = .glonass
        case UInt8(ascii: "3"): self = .galileo
        case UInt8(ascii: "4"): self = .beidou
        case UInt8(ascii: "5"): self = .qzss
        case UInt8(ascii: "6"): self = .navic
        default: return nil
        }
    }
}

/// Satellites as one bit each.
struct SatelliteSet: Equatable {
    private var gps: UInt64 = 0
    private var sbas: UInt64 = 0
    private var galileo: UInt64 = 0
    private var beidou: UInt64 = 0
    private var qzss: UInt64 = 0
    private var glonass: UInt64 = 0
    private var navic: UInt64 = 0

    mutating func insert(_ id: SatelliteID) {
        let bit = UInt64(1) << UInt64(id.slot)
        switch id.constellation {
        case .gps: gps |= bit
        case .sbas: sbas |= bit
        case .galileo: galileo |= bit
        case .beidou: beidou |= bit
        case .qzss: qzss |= bit
        case .glonass: glonass |= bit
        case .navic: navic |= bit
        }
    }

    mutating func formUnion(_ other: SatelliteSet) {
        gps |= other.gps
        sbas |= other.sbas
        galileo |= other.galileo
        beidou |= other.beidou
        qzss |= other.qzss
        glonass |= other.glonass
        navic |= other.navic
    }

    var isEmpty: Bool { gps | sbas | galileo | beidou | qzss | glonass | navic == 0 }

    func isSubset(of other: SatelliteSet) -> Bool {
        var union = other
        union.formUnion(self)
        return union == other
    }

    func contains(_ constellation: Constellation, slot: Int) -> Bool {
        let word =
            switch constellation {
            case .gps: gps
            case .sbas: sbas
            case .galileo: galileo
            case .beidou: beidou
            case .qzss: qzss
            case .glonass: glonass
            case .navic: navic
            }
        return word >> UInt64(slot) & 1 == 1
    }
}
