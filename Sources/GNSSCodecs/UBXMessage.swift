/// A decoded navigation message, in the units of the interface descriptions of u-blox 5 to 10.
enum UBXMessage {
    case pvt(PVT)
    case sol(SOL)
    case position(POSLLH)
    case precisePosition(HPPOSLLH)
    case velocity(VELNED)
    case timeUTC(TIMEUTC)
    case timeGPS(TIMEGPS)
    case status(STATUS)
    case dop(DOP)
    /// All messages of this time of week have been sent.
    case endOfEpoch(iTOW: UInt32)

    /// The class of navigation messages.
    static let navigationClass: UInt8 = 0x01

    /// NAV-PVT: everything in one message (u-blox 7 and later).
    struct PVT {
        /// GPS time of week, milliseconds: the same in all messages of one solution.
        var iTOW: UInt32
        var clock: UBXClock
        /// Bit 0 date, 1 time, 2 fully resolved.
        var valid: UInt8
        /// 0 none, 1 dead reckoning, 2 2-D, 3 3-D, 4 GNSS and dead reckoning, 5 time only.
        var fixType: UInt8
        /// Bit 0: the solution is within the limits of the receiver.
        var flags: UInt8
        var satellites: UInt8
        /// 1e-7 degree.
        var longitudeE7: Int32
        var latitudeE7: Int32
        var heightMSLMM: Int32
        /// 0xFFFFFFFF: unknown.
        var hAccMM: UInt32
        var vAccMM: UInt32
        var groundSpeedMMS: Int32
        /// 1e-5 degree.
        var headingE5: Int32
        var sAccMMS: UInt32
        var headAccE5: UInt32
        var pdopE2: UInt16
        /// Position and heights are not valid (protocol 22 and later).
        var isPositionInvalid: Bool
    }

    /// NAV-SOL: the solution in Cartesian coordinates (up to u-blox 8).
    struct SOL {
        var iTOW: UInt32
        /// Nanoseconds to add to `iTOW`, ±500 000.
        var fTOW: Int32
        var week: Int16
        var gpsFix: UInt8
        /// Bit 0: the fix is good; 2: the week is known; 3: the time of week is.
        var flags: UInt8
        var ecefCM: (x: Int32, y: Int32, z: Int32)
        var pAccCM: UInt32
        var ecefVelocityCMS: (x: Int32, y: Int32, z: Int32)
        var sAccCMS: UInt32
        var pdopE2: UInt16
        var satellites: UInt8
    }

    struct POSLLH {
        var iTOW: UInt32
        var longitudeE7: Int32
        var latitudeE7: Int32
        var heightMSLMM: Int32
        var hAccMM: UInt32
        var vAccMM: UInt32
    }

    /// NAV-HPPOSLLH: the same with two more digits.
    struct HPPOSLLH {
        var iTOW: UInt32
        var isInvalid: Bool
        /// 1e-9 degree.
        var longitudeE9: Int64
        var latitudeE9: Int64
        /// 0.1 mm.
        var heightMSLTenthMM: Int64
        var hAccTenthMM: UInt32
        var vAccTenthMM: UInt32
    }

    struct VELNED {
        var iTOW: UInt32
        var groundSpeedCMS: UInt32
        var headingE5: Int32
        var sAccCMS: UInt32
        var headAccE5: UInt32
    }

    struct TIMEUTC {
        var iTOW: UInt32
        var clock: UBXClock
        /// Bit 0 time of week, 1 week, 2 UTC (leap seconds known).
        var valid: UInt8
    }

    struct TIMEGPS {
        var iTOW: UInt32
        /// Nanoseconds to add to `iTOW`, ±500 000.
        var fTOW: Int32
        var week: Int16
        var leapSeconds: Int8
        /// Bit 0 time of week, 1 week, 2 leap seconds.
        var valid: UInt8
    }

    struct STATUS {
        var iTOW: UInt32
        var gpsFix: UInt8
        var flags: UInt8
        /// 0 unknown, 1 none, 2 indicated, 3 several indications.
        var spoofing: UInt8
    }

    /// Hundredths.
    struct DOP {
        var iTOW: UInt32
        var pdopE2: UInt16
        var vdopE2: UInt16
        var hdopE2: UInt16
    }
}

/// Date and time of day as NAV-PVT and NAV-TIMEUTC carry them.
struct UBXClock {
    var year: UInt16
    var month: UInt8
    var day: UInt8
    var hour: UInt8
    var minute: UInt8
    /// 0…60.
    var second: UInt8
    /// To add, −1e9…1e9: rounding to the second above makes it negative.
    var nano: Int32
}
