import TrackerModel

extension NMEASentence {
    /// What kind of sentence an address names. Any talker counts, except `P…`: `PGRMC` is Garmin's own, no RMC.
    enum Kind: UInt8 {
        /// Those that `SentenceTally` counts come first.
        case rmc, gga, gns, gsa, gst, gbs, vtg, zda
        case gll, gsv
        /// Text for people.
        case txt
        case pubx
        /// `PMTK…`, `PAIR…`, `PQTM…`, `PQVERNO`: what Mediatek, Airoha and Quectel receivers answer to commands.
        case answer
        case other

        init(address body: UnsafeBufferPointer<UInt8>) {
            self = .other
            guard body.count > 5 else { return }
            let type = UInt32(body[2]) << 16 | UInt32(body[3]) << 8 | UInt32(body[4])
            if body[0] == UInt8(ascii: "P") {
                self = Self.proprietary(body, type)
            } else if body[5] == UInt8(ascii: ",") {
                self = Self.standard(type)
            }
        }

        private static func standard(_ type: UInt32) -> Kind {
            switch type {
            case 0x52_4D_43: .rmc
            case 0x47_47_41: .gga
            case 0x47_53_41: .gsa
            case 0x47_53_56: .gsv
            case 0x56_54_47: .vtg
            case 0x47_4C_4C: .gll
            case 0x47_4E_53: .gns
            case 0x47_53_54: .gst
            case 0x5A_44_41: .zda
            case 0x47_42_53: .gbs
            case 0x54_58_54: .txt
            default: .other
            }
        }

        private static func proprietary(_ body: UnsafeBufferPointer<UInt8>, _ type: UInt32) -> Kind {
            switch (UInt32(body[1]) << 24 | type, body[5] == UInt8(ascii: ",")) {
            case (0x55_42_58_2C, _): .pubx  // UBX,
            case (0x4D_54_4B_30...0x4D_54_4B_39, _): .answer  // MTK and a digit
            case (0x41_49_52_30...0x41_49_52_39, _): .answer  // AIR and a digit
            case (0x51_54_4D_41...0x51_54_4D_5A, _): .answer  // QTM and a letter
            case (0x51_56_45_52, false): .answer  // QVERNO
            // Quectel modules give the satellites of BeiDou the talker PQ.
            case (0x51_47_53_56, true): .gsv
            case (0x51_47_53_41, true): .gsa
            default: .other
            }
        }
    }

    /// Reads the fields of a sentence whose checksum is right.
    ///
    /// A field count outside what any edition of the standard has refuses the sentence: some receivers cut sentences
    /// short and still compute the checksum (F-01).
    init(_ kind: Kind, _ fields: NMEAFields) throws(MalformedSentence) {
        switch kind {
        case .rmc: self = .rmc(try RMC(fields))
        case .gga: self = .gga(try GGA(fields))
        case .gns: self = .gns(try GNS(fields))
        case .gll: self = .gll(try GLL(fields))
        case .gsa: self = .gsa(try GSA(fields))
        case .gsv: self = .gsv(try GSV(fields))
        case .gst: self = .gst(try GST(fields))
        case .gbs: self = .gbs(try GBS(fields))
        case .vtg: self = .vtg(try VTG(fields))
        case .zda: self = .zda(try ZDA(fields))
        case .pubx: self = try NMEASentence(ublox: fields)
        case .txt, .answer, .other: self = .other
        }
    }
}

extension NMEAFields {
    /// Refuses another number of fields; to be called before the first is taken.
    @discardableResult
    func expect(_ counts: ClosedRange<Int>) throws(MalformedSentence) -> Int {
        let count = remaining
        guard counts.contains(count) else { throw MalformedSentence() }
        return count
    }
}

extension NMEASentence.RMC {
    // 11 fields in NMEA 2.0, 12 from 2.3 (mode), 13 from 4.1 (navigational status).
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(11...13)
        timeOfDay = try fields.next().timeOfDay()
        isActive = try fields.next().isActive()
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
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(14...15)
        timeOfDay = try fields.next().timeOfDay()
        let position = fields.position()
        quality = try fields.next().integer()
        coordinate = try position.coordinate(isFix: quality != 0)
        satellites = try fields.next().integer()
        hdop = try fields.next().dilution()
        altitudeM = try fields.next().decimal()
    }
}

extension NMEASentence.GNS {
    // 12 fields, 13 from NMEA 4.1 (navigational status). One letter of mode for each constellation.
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(12...13)
        timeOfDay = try fields.next().timeOfDay()
        let position = fields.position()
        (isFix, isEstimated, isMock) = (false, true, false)
        for mode in fields.next().bytes {
            switch mode {
            case UInt8(ascii: "N"): continue
            case UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "F"), UInt8(ascii: "P"), UInt8(ascii: "R"):
                isEstimated = false
            case UInt8(ascii: "E"): break
            case UInt8(ascii: "M"), UInt8(ascii: "S"): (isEstimated, isMock) = (false, true)
            default: throw MalformedSentence()
            }
            isFix = true
        }
        coordinate = try position.coordinate(isFix: isFix)
        satellites = try fields.next().integer()
        hdop = try fields.next().dilution()
        altitudeM = try fields.next().decimal()
    }
}

extension NMEASentence.GLL {
    // 6 fields in NMEA 2.0, 7 from 2.3 (mode).
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(6...7)
        let position = fields.position()
        timeOfDay = try fields.next().timeOfDay()
        isActive = try fields.next().isActive()
        mode = try fields.next().letter()
        if mode == UInt8(ascii: "N") { isActive = false }
        coordinate = try position.coordinate(isFix: isActive)
    }
}

extension NMEASentence.GST {
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(8...8)
        timeOfDay = try fields.next().timeOfDay()
        fields.skip(4)
        latitudeM = try fields.next().decimal()
        longitudeM = try fields.next().decimal()
        altitudeM = try fields.next().decimal()
    }
}

extension NMEASentence.GBS {
    // 8 fields; NMEA 4.11 adds system and signal.
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(8...10)
        timeOfDay = try fields.next().timeOfDay()
        latitudeM = try fields.next().decimal()
        longitudeM = try fields.next().decimal()
        altitudeM = try fields.next().decimal()
    }
}

extension NMEASentence.VTG {
    // 8 fields, 9 from NMEA 2.3 (mode).
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(8...9)
        courseDeg = try fields.next().decimal()
        fields.skip(3)
        speedKnots = try fields.next().decimal()
        fields.skip(3)
        mode = try fields.next().letter()
    }
}

extension NMEASentence.ZDA {
    init(_ given: NMEAFields) throws(MalformedSentence) {
        var fields = given
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

extension NMEAField {
    /// Status A or V; empty is V.
    fileprivate func isActive() throws(MalformedSentence) -> Bool {
        switch try letter() {
        case UInt8(ascii: "A"): return true
        case UInt8(ascii: "V"), nil: return false
        default: throw MalformedSentence()
        }
    }
}
