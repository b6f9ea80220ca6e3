public import TrackerModel

/// The Maxim MAX17048 fuel gauge at register level (data sheet 19-6171 rev 7, register summary): what to read, what the
/// bytes mean. Registers are words of 16 bits, the upper byte first. It does no transfers itself.
public enum MAX17048 {
    /// 7-bit.
    public static let address: UInt8 = 0x36
    /// VCELL, with SOC behind it: four bytes.
    public static let cellRegister: UInt8 = 0x02
    public static let versionRegister: UInt8 = 0x08
    public static let rateRegister: UInt8 = 0x16
    public static let configRegister: UInt8 = 0x0C
    /// What can be alerted below, percent.
    public static let alertPercents = 1...32
    /// Below this rate, %/h, neither charging nor discharging is claimed: a full battery rests on its charger.
    private static let restingRate = 1

    /// VERSION is 0x001x.
    public static func isVersion(_ bytes: [UInt8]) -> Bool { word(bytes, 0).map { $0 & 0xFFF0 == 0x0010 } ?? false }

    /// - Parameters:
    ///   - cell: VCELL and SOC, four bytes from `cellRegister` on.
    ///   - rate: CRATE, two bytes.
    /// - Returns: `.unknown` when bytes are missing; the percentage is unknown when it reads 0, which a running board is
    ///   not at, or more than 100.
    public static func reading(cell: [UInt8], rate: [UInt8]) -> BatteryReading {
        guard let voltage = word(cell, 0), let charge = word(cell, 2), let rate = word(rate, 0) else { return .unknown }
        var reading = BatteryReading()
        // 78.125 µV a digit.
        let millivolts = (Int64(voltage) * 78_125 + 500_000) / 1_000_000
        reading.voltageMV = millivolts > 0 ? millivolts : nil
        // 1/256 % a digit; a gauge may count a little beyond a full battery.
        let percent = Int(charge >> 8)
        reading.percent = percent == 0 ? nil : percent <= 110 ? min(percent, 100) : nil
        // 0.208 %/h a digit, negative while it discharges.
        let percentPerHour = Int(Int16(bitPattern: rate)) * 208
        if percentPerHour >= restingRate * 1_000 { reading.isCharging = true }
        if percentPerHour <= -restingRate * 1_000 { reading.isCharging = false }
        return reading
    }

    /// CONFIG that alerts when the charge falls below `percent`, with no alert pending and none for every changed percent.
    /// - Returns: `nil` when `present`, two bytes, is that already, or is none. RCOMP and SLEEP stay as they are.
    public static func config(_ present: [UInt8], alertingBelow percent: Int) -> [UInt8]? {
        guard let word = word(present, 0), alertPercents.contains(percent) else { return nil }
        // SLEEP 0x80, ALSC 0x40, ALRT 0x20, ATHD 0x1F: 32 less the percentage.
        let wanted = word & 0xFF80 | UInt16(32 - percent)
        return wanted == word ? nil : [UInt8(wanted >> 8), UInt8(wanted & 0xFF)]
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> UInt16? {
        guard bytes.count >= index + 2 else { return nil }
        return UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
}
