/// Why a frame with a right checksum is no message.
enum UBXMessageFault: Error {
    /// A navigation message that is not used here.
    case unused
    /// The length does not fit the message.
    case malformed
}

extension UBXMessage {
    /// Decodes a message of the navigation class.
    init(id: UInt8, _ payload: UnsafeRawBufferPointer) throws(UBXMessageFault) {
        switch id {
        case 0x02:
            try Self.check(payload.count == 28)
            self = .position(POSLLH(payload))
        case 0x03:
            try Self.check(payload.count == 16)
            self = .status(STATUS(payload))
        case 0x04:
            try Self.check(payload.count == 18)
            self = .dop(DOP(payload))
        case 0x06:
            try Self.check(payload.count == 52)
            self = .sol(SOL(payload))
        case 0x07:
            // 84 bytes up to protocol 14, 92 since.
            try Self.check(payload.count == 84 || payload.count >= 92)
            self = .pvt(PVT(payload))
        case 0x12:
            try Self.check(payload.count == 36)
            self = .velocity(VELNED(payload))
        case 0x14:
            try Self.check(payload.count == 36)
            self = .precisePosition(HPPOSLLH(payload))
        case 0x20:
            try Self.check(payload.count == 16)
            self = .timeGPS(TIMEGPS(payload))
        case 0x21:
            try Self.check(payload.count == 20)
            self = .timeUTC(TIMEUTC(payload))
        case 0x61:
            try Self.check(payload.count == 4)
            self = .endOfEpoch(iTOW: payload.u4(0))
        default: throw .unused
        }
    }

    private static func check(_ fits: Bool) throws(UBXMessageFault) {
        if !fits { throw .malformed }
    }
}

// The payloads have been checked to be long enough.

extension UBXMessage.PVT {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(0)
        clock = UBXClock(
            year: payload.u2(4), month: payload.u1(6), day: payload.u1(7), hour: payload.u1(8), minute: payload.u1(9),
            second: payload.u1(10), nano: payload.i4(16))
        valid = payload.u1(11)
        fixType = payload.u1(20)
        flags = payload.u1(21)
        satellites = payload.u1(23)
        longitudeE7 = payload.i4(24)
        latitudeE7 = payload.i4(28)
        heightMSLMM = payload.i4(36)
        hAccMM = payload.u4(40)
        vAccMM = payload.u4(44)
        groundSpeedMMS = payload.i4(60)
        headingE5 = payload.i4(64)
        sAccMMS = payload.u4(68)
        headAccE5 = payload.u4(72)
        pdopE2 = payload.u2(76)
        isPositionInvalid = payload.count >= 92 && payload.u1(78) & 1 != 0
    }
}

extension UBXMessage.SOL {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(0)
        fTOW = payload.i4(4)
        week = payload.i2(8)
        gpsFix = payload.u1(10)
        flags = payload.u1(11)
        ecefCM = (payload.i4(12), payload.i4(16), payload.i4(20))
        pAccCM = payload.u4(24)
        ecefVelocityCMS = (payload.i4(28), payload.i4(32), payload.i4(36))
        sAccCMS = payload.u4(40)
        pdopE2 = payload.u2(44)
        satellites = payload.u1(47)
    }
}

extension UBXMessage.POSLLH {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(0)
        longitudeE7 = payload.i4(4)
        latitudeE7 = payload.i4(8)
        heightMSLMM = payload.i4(16)
        hAccMM = payload.u4(20)
        vAccMM = payload.u4(24)
    }
}

extension UBXMessage.HPPOSLLH {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(4)
        isInvalid = payload.u1(3) & 1 != 0
        longitudeE9 = Int64(payload.i4(8)) * 100 + Int64(payload.i1(24))
        latitudeE9 = Int64(payload.i4(12)) * 100 + Int64(payload.i1(25))
        heightMSLTenthMM = Int64(payload.i4(20)) * 10 + Int64(payload.i1(27))
        hAccTenthMM = payload.u4(28)
        vAccTenthMM = payload.u4(32)
    }
}

extension UBXMessage.VELNED {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(0)
        groundSpeedCMS = payload.u4(20)
        headingE5 = payload.i4(24)
        sAccCMS = payload.u4(28)
        headAccE5 = payload.u4(32)
    }
}

extension UBXMessage.TIMEUTC {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(0)
        clock = UBXClock(
            year: payload.u2(12), month: payload.u1(14), day: payload.u1(15), hour: payload.u1(16),
            minute: payload.u1(17), second: payload.u1(18), nano: payload.i4(8))
        valid = payload.u1(19)
    }
}

extension UBXMessage.TIMEGPS {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(0)
        fTOW = payload.i4(4)
        week = payload.i2(8)
        leapSeconds = payload.i1(10)
        valid = payload.u1(11)
    }
}

extension UBXMessage.STATUS {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(0)
        gpsFix = payload.u1(4)
        flags = payload.u1(5)
        spoofing = payload.u1(7) >> 3 & 3
    }
}

extension UBXMessage.DOP {
    init(_ payload: UnsafeRawBufferPointer) {
        iTOW = payload.u4(0)
        pdopE2 = payload.u2(6)
        vdopE2 = payload.u2(10)
        hdopE2 = payload.u2(12)
    }
}
