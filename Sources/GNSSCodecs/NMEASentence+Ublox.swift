import TrackerModel

extension NMEASentence {
    /// `PUBX,00`: the solution of a u-blox receiver in one sentence.
    struct PUBX {
        /// Navigation status.
        enum Status {
            case none, timeOnly, deadReckoning, twoD, threeD, combined

            var isFix: Bool { self != .none && self != .timeOnly }
        }

        var timeOfDay: Int?
        var coordinate: Coordinate?
        var status: Status?
        /// What UBX calls hAcc and vAcc, metres.
        var horizontalM: Double?
        var verticalM: Double?
        var speedKmh: Double?
        var courseDeg: Double?
        var hdop: Double?
        var vdop: Double?
        var satellites: Int?
    }
}

extension NMEASentence.PUBX.Status {
    fileprivate init(_ field: NMEAField) throws(MalformedSentence) {
        guard field.bytes.count == 2 else { throw MalformedSentence() }
        switch UInt16(field.bytes[0]) << 8 | UInt16(field.bytes[1]) {
        case 0x4E_46: self = .none  // NF
        case 0x54_54: self = .timeOnly  // TT
        case 0x44_52: self = .deadReckoning  // DR
        case 0x47_32, 0x44_32: self = .twoD  // G2, D2
        case 0x47_33, 0x44_33: self = .threeD  // G3, D3
        case 0x52_4B: self = .combined  // RK
        default: throw MalformedSentence()
        }
    }
}

extension NMEASentence.PUBX {
    // The height is above the ellipsoid, not above the sea: it is not used.
    fileprivate init(position given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(20...21)
        fields.skip(1)
        timeOfDay = try fields.next().timeOfDay()
        let position = fields.position()
        fields.skip(1)
        let status = try Status(fields.next())
        self.status = status
        coordinate = try position.coordinate(isFix: status.isFix)
        horizontalM = try fields.next().decimal()
        verticalM = try fields.next().decimal()
        speedKmh = try fields.next().decimal()
        courseDeg = try fields.next().decimal()
        fields.skip(2)
        hdop = try fields.next().dilution()
        vdop = try fields.next().dilution()
        fields.skip(1)
        satellites = try fields.next().integer()
    }
}

extension NMEASentence {
    /// `PUBX,00` and `PUBX,04`; the others are not read.
    init(ublox fields: NMEAFields) throws(MalformedSentence) {
        var ahead = fields
        switch try ahead.next().integer() {
        case 0: self = .pubx(try PUBX(position: fields))
        case 4: self = .zda(try ZDA(ubloxTime: fields))
        default: self = .other
        }
    }
}

extension NMEASentence.ZDA {
    fileprivate init(ubloxTime given: NMEAFields) throws(MalformedSentence) {
        var fields = given
        try fields.expect(9...10)
        fields.skip(1)
        timeOfDay = try fields.next().timeOfDay()
        date = fields.next().date()
        fields.skip(2)
        isFullyResolved = fields.next().bytes.last != UInt8(ascii: "D")
    }
}
