import Testing
import TrackerEngine
import TrackerModel

@Suite("MAX17048 registers")
struct MAX17048Tests {
    @Test("Voltage, charge and rate in the units of the data sheet")
    func reading() {
        // 3.7 V is 47 360 digits of 78.125 µV; 57.5 % is 0x3980; −4.992 %/h is −24 digits of 0.208.
        let reading = MAX17048.reading(cell: [0xB9, 0x00, 0x39, 0x80], rate: [0xFF, 0xE8])
        #expect(reading.voltageMV == 3_700 && reading.percent == 57 && reading.isCharging == false)
    }

    @Test(
        "A charge of 0 or of nonsense is unknown, a little over 100 is full",
        arguments: [
            ([0x00, 0xFF], Int?.none), ([0x01, 0x00], 1), ([0x64, 0x00], 100), ([0x65, 0x80], 100),
            ([0xFF, 0xFF], nil),
        ] as [([UInt8], Int?)])
    func charge(bytes: [UInt8], percent: Int?) {
        #expect(MAX17048.reading(cell: [0xB9, 0x00] + bytes, rate: [0, 0]).percent == percent)
    }

    @Test(
        "Charging is told from 1 %/h on; at rest nothing is claimed",
        arguments: [
            ([0x00, 0x05], Bool?.some(true)), ([0x00, 0x04], nil), ([0x00, 0x00], nil), ([0xFF, 0xFC], nil),
            ([0xFF, 0xFB], false),
        ] as [([UInt8], Bool?)])
    func rate(bytes: [UInt8], isCharging: Bool?) {
        #expect(MAX17048.reading(cell: [0xB9, 0x00, 0x39, 0x80], rate: bytes).isCharging == isCharging)
    }

    @Test("Missing bytes and a dead cell are unknown")
    func missing() {
        #expect(MAX17048.reading(cell: [0xB9, 0x00, 0x39], rate: [0, 0]) == .unknown)
        #expect(MAX17048.reading(cell: [0xB9, 0x00, 0x39, 0x80], rate: []) == .unknown)
        #expect(MAX17048.reading(cell: [0, 0, 0x39, 0x80], rate: [0, 0]).voltageMV == nil)
    }

    @Test("The chip is known by its version")
    func version() {
        #expect(MAX17048.isVersion([0x00, 0x12]) && MAX17048.isVersion([0x00, 0x11]))
        #expect(!MAX17048.isVersion([0xFF, 0xFF]) && !MAX17048.isVersion([0x00, 0x03]) && !MAX17048.isVersion([0x00]))
    }
}
