import TrackerModel

extension NMEASentence {
    /// Dilution of precision and active satellites; one sentence for each constellation.
    struct GSA {
        /// 1 none, 2 2-D, 3 3-D.
        var mode: Int?
        /// How many the sentence lists, known ones or not.
        var satellites = 0
        var used = SatelliteSet()
        var pdop: Double?
        var hdop: Double?
        var vdop: Double?
    }

    /// Up to four satellites in view: one of the sentences of a group.
    struct GSV {
        struct Satellite {
            var id: SatelliteID
            var elevationDeg: Int16?
            var azimuthDeg: Int16?
            var cn0DBHz: Int16?
        }

        var talker: UInt16
        /// NMEA 4.1: receivers list a satellite once for each of its signals; 0 where they do not say.
        var signal: UInt8
        var total: Int
        /// 1…`total`; 0 where there is nothing to list.
        var number: Int
        /// Those of a numbering that is not known are left out.
        var satellites: (Satellite?, Satellite?, Satellite?, Satellite?)
    }
}

extension NMEASentence.GSA {
    // 2 modes, 12 satellites, 3 dilutions; NMEA 4.11 adds the system. Receivers of two constellations have up to 24
    // satellites in one sentence.
    /// - Parameter listsUsed: false where only their number is wanted.
    init(_ given: NMEAFields, listsUsed: Bool = true) throws(MalformedSentence) {
        var fields = given
        let count = try fields.expect(17...30)
        fields.skip(1)
        mode = try fields.next().integer()
        guard (1...3).contains(mode ?? 1) else { throw MalformedSentence() }
        let slots = count <= 18 ? 12 : count - 5
        if listsUsed {
            // The system, which decides what the numbers mean, is the last field.
            let talker = Constellation(talker: fields.talker)
            let system = count == 18 ? Constellation(system: fields.last) ?? talker : talker
            for _ in 0..<slots {
                guard let number = try fields.next().integer() else { continue }
                satellites += 1
                if let id = SatelliteID(number: number, of: system) { used.insert(id) }
            }
        } else {
            for _ in 0..<slots {
                if try fields.next().integer() != nil { satellites += 1 }
            }
        }
        pdop = try fields.next().dilution()
        hdop = try fields.next().dilution()
        vdop = try fields.next().dilution()
    }
}

extension NMEASentence.GSV {
    /// `PQ`.
    private static let quectel: UInt16 = 0x50_51

    // 3 counts, 4 fields for each of at most 4 satellites (some receivers fill up with empty ones), NMEA 4.1 adds the
    // signal.
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        let (slots, rest) = (try fields.expect(3...20) - 3).quotientAndRemainder(dividingBy: 4)
        talker = fields.talker
        // Quectel's sentences of BeiDou have a field more ahead of the signal.
        guard rest <= (talker == Self.quectel ? 2 : 1) else { throw MalformedSentence() }
        total = try fields.next().integer() ?? 0
        number = try fields.next().integer() ?? 0
        guard number <= total, total == 0 || number > 0 else { throw MalformedSentence() }
        fields.skip(1)
        let system = Constellation(talker: talker)
        satellites = (nil, nil, nil, nil)
        for slot in 0..<slots {
            let satellite = try Satellite(&fields, of: system)
            switch slot {
            case 0: satellites.0 = satellite
            case 1: satellites.1 = satellite
            case 2: satellites.2 = satellite
            default: satellites.3 = satellite
            }
        }
        if rest == 2 { fields.skip(1) }
        signal = rest > 0 ? try fields.next().letter() ?? 0 : 0
    }
}

extension NMEASentence.GSV.Satellite {
    fileprivate init?(_ fields: inout NMEAFields, of system: Constellation?) throws(MalformedSentence) {
        let number = try fields.next().integer()
        elevationDeg = try fields.next().whole(in: -90...90)
        azimuthDeg = try fields.next().whole(in: 0...360)
        cn0DBHz = try fields.next().whole(in: 0...99)
        guard let number, let id = SatelliteID(number: number, of: system) else { return nil }
        self.id = id
        if azimuthDeg == 360 { azimuthDeg = 0 }
        // 00 is how some receivers write an empty field: no signal has 0 dBHz.
        if cn0DBHz == 0 { cn0DBHz = nil }
    }
}

extension NMEAField {
    /// A number rounded towards zero; some receivers give decimals.
    @inline(__always)
    fileprivate func whole(in range: ClosedRange<Int>) throws(MalformedSentence) -> Int16? {
        if bytes.isEmpty { return nil }
        // Nearly all receivers give whole numbers: these need no division.
        if bytes.count <= 4, let value = digits(0..<bytes.count) {
            guard range.contains(value) else { throw MalformedSentence() }
            return Int16(value)
        }
        guard let value = try decimal() else { return nil }
        guard (Double(range.lowerBound)...Double(range.upperBound)).contains(value) else { throw MalformedSentence() }
        return Int16(value)
    }

    /// A dilution of precision: not negative.
    func dilution() throws(MalformedSentence) -> Double? {
        guard let value = try decimal() else { return nil }
        guard value >= 0 else { throw MalformedSentence() }
        return value
    }
}
