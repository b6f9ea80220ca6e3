import TrackerModel

extension NMEASentence {
    /// What kind of sentence an address names. Any talker counts, except `P…`: `PGRMC` is Garmin's own, no RMC.
    enum Kind {
        case rmc, gga, gsa, gst, vtg, zda, gns, gsv, other

        init(address body: UnsafeBufferPointer<UInt8>) {
            guard body.count > 5, body[5] == UInt8(ascii: ","), body[0] != UInt8(ascii: "P") else {
                self = .other
                return
            }
            switch UInt32(body[2]) << 16 | UInt32(body[3]) << 8 | UInt32(body[4]) {
            case 0x52_4D_43: self = .rmc
            case 0x47_47_41: self = .gga
            case 0x47_53_41: self = .gsa
            case 0x47_53_54: self = .gst
            case 0x56_54_47: self = .vtg
            case 0x5A_44_41: self = .zda
            case 0x47_4E_53: self = .gns
            case 0x47_53_56: self = .gsv
            default: self = .other
            }
        }
    }

    /// Reads what is between `$` and `*` of a sentence whose checksum is right.
    ///
    /// A field count outside what any edition of the standard has refuses the sentence: some receivers cut sentences
    /// short and still compute the checksum (F-01).
    init(_ kind: Kind, body: UnsafeBufferPointer<UInt8>) throws(MalformedSentence) {
        var fields = NMEAFields(body)
        switch kind {
        case .rmc: self = .rmc(try RMC(&fields))
        case .gga: self = .gga(try GGA(&fields))
        case .gsa: self = .gsa(try GSA(&fields))
        case .gst: self = .gst(try GST(&fields))
        case .vtg: self = .vtg(try VTG(&fields))
        case .zda: self = .zda(try ZDA(&fields))
        case .gns: self = .gns(timeOfDay: try fields.next().timeOfDay())
        case .gsv: self = .gsv
        case .other: self = .other
        }
    }
}

extension NMEAFields {
    fileprivate func expect(_ counts: ClosedRange<Int>) throws(MalformedSentence) {
        guard counts.contains(count) else { throw MalformedSentence() }
    }
}

extension NMEASentence.RMC {
    // 11 fields in NMEA 2.0, 12 from 2.3 (mode), 13 from 4.1 (navigational status).
    fileprivate init(_ fields: inout NMEAFields) throws(MalformedSentence) {
        try fields.expect(11...13)
        talker = fields.talker
        timeOfDay = try fields.next().timeOfDay()
        switch try fields.next().letter() {
        case UInt8(ascii: "A"): isActive = true
        case UInt8(ascii: "V"), nil: isActive = false
        default: throw MalformedSentence()
        }
        coordinate = try fields.position().coordinate(isFix: isActive)
        speedKnots = try fields.next().decimal()
        courseDeg = try fields.next().decimal()
        date = fields.next().date()
        fields.skip(2)
        mode = try fields.next().letter()
    }
}

extension NMEASentence.GGA {
    // 14 fields; some receivers end with a comma.
    fileprivate init(_ fields: inout NMEAFields) throws(MalformedSentence) {
        try fields.expect(14...15)
        talker = fields.talker
        timeOfDay = try fields.next().timeOfDay()
        let position = fields.position()
        quality = try fields.next().integer()
        coordinate = try position.coordinate(isFix: quality != 0)
        satellites = try fields.next().integer()
        hdop = try fields.next().decimal()
        altitudeM = try fields.next().decimal()
    }
}

extension NMEASentence.GSA {
    // 2 modes, 12 satellites, 3 dilutions; NMEA 4.1 adds the system. Receivers of two constellations have up to 24
    // satellites in one sentence.
    fileprivate init(_ fields: inout NMEAFields) throws(MalformedSentence) {
        try fields.expect(17...30)
        fields.skip(1)
        mode = try fields.next().integer()
        satellites = 0
        for _ in 0..<(fields.count <= 18 ? 12 : fields.count - 5) {
            if !fields.next().isEmpty { satellites += 1 }
        }
        fields.skip(1)
        hdop = try fields.next().decimal()
    }
}

extension NMEASentence.GST {
    fileprivate init(_ fields: inout NMEAFields) throws(MalformedSentence) {
        try fields.expect(8...8)
        timeOfDay = try fields.next().timeOfDay()
        fields.skip(4)
        latitudeM = try fields.next().decimal()
        longitudeM = try fields.next().decimal()
        altitudeM = try fields.next().decimal()
    }
}

extension NMEASentence.VTG {
    // 8 fields, 9 from NMEA 2.3 (mode).
    fileprivate init(_ fields: inout NMEAFields) throws(MalformedSentence) {
        try fields.expect(8...9)
        courseDeg = try fields.next().decimal()
        fields.skip(3)
        speedKnots = try fields.next().decimal()
        fields.skip(3)
        mode = try fields.next().letter()
    }
}

extension NMEASentence.ZDA {
    fileprivate init(_ fields: inout NMEAFields) throws(MalformedSentence) {
        try fields.expect(6...6)
        timeOfDay = try fields.next().timeOfDay()
        let day = try fields.next().integer()
        let month = try fields.next().integer()
        let year = try fields.next().integer()
        if let day, let month, let year {
            date = DateField(year: year, month: month, day: day)
        } else {
            date = .absent
        }
    }
}
