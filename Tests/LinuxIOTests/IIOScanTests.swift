import Testing
import TrackerModel

@testable import LinuxIO

@Suite("Scans of Industrial I/O")
struct IIOScanTests {
    private func element(_ type: String, index: Int = 0) throws -> IIOElement {
        try #require(IIOElement(type: type, index: "\(index)"))
    }

    struct Row: Sendable {
        var type: String
        var bytes: [UInt8]
        var value: Int64

        init(_ type: String, _ bytes: [UInt8], _ value: Int64) {
            (self.type, self.bytes, self.value) = (type, bytes, value)
        }
    }

    static let rows: [Row] = [
        Row("le:s16/16>>0", [0x34, 0x12], 0x1234), Row("be:s16/16>>0", [0x12, 0x34], 0x1234),
        Row("le:s16/16>>0", [0xFF, 0xFF], -1), Row("le:u16/16>>0", [0xFF, 0xFF], 65_535),
        Row("le:s12/16>>4", [0xF0, 0x7F], 2_047), Row("le:s12/16>>4", [0x0F, 0x80], -2_048),
        Row("be:s10/16>>6", [0xFF, 0xC0], -1), Row("le:s13/16", [0xFF, 0x0F], 4_095),
        Row("le:s13/16", [0x00, 0xF0], -4_096), Row("le:s20/32>>12", [0, 0xF0, 0xFF, 0x7F], 524_287),
        Row("be:u8/8>>0", [200], 200), Row("le:s64/64>>0", [1, 0, 0, 0, 0, 0, 0, 0x80], .min + 1),
        Row("le:u64/64>>0", [UInt8](repeating: 255, count: 8), .max),
    ]

    @Test("A value is taken out of its word: order, sign, width and shift", arguments: rows)
    func values(row: Row) throws {
        #expect(try element(row.type).value(row.bytes, at: 0) == row.value)
        #expect(try element(row.type).value([9] + row.bytes, at: 1) == row.value)
    }

    @Test(
        "What describes no value is refused",
        arguments: [
            "", "le", "xe:s16/16>>0", "le:x16/16>>0", "le:s16", "le:s16/", "le:s16/17>>0", "le:s17/16>>0", "le:s0/16",
            "le:s12/16>>5", "le:s16/16X>>0", "le:s16/16X0>>0", "le:s16/16X17>>0", "le:s16/16>0", "le:s/16>>0",
            "le:s16/16>>-1",
            "le:s99999999999999999999/16>>0", "le:s16/16>>0:1",
        ])
    func refused(type: String) { #expect(IIOElement(type: type, index: "0") == nil) }

    @Test("An index is a number") func index() {
        #expect(
            IIOElement(type: "le:s16/16>>0", index: "x") == nil && IIOElement(type: "le:s16/16>>0", index: "-1") == nil)
    }

    @Test("Elements stand by index, each at a multiple of its size, the scan is a multiple of the largest")
    func layout() throws {
        var elements = [
            "in_accel_x": try element("le:s16/16>>0", index: 2), "in_accel_y": try element("le:s16/16>>0", index: 1),
            "in_accel_z": try element("le:s16/16>>0", index: 0),
        ]
        let bare = try #require(IIOScan(elements))
        #expect(bare.byteCount == 6)
        #expect(bare.read([1, 0, 2, 0, 3, 0], at: 0).raw == [3, 2, 1])
        #expect(bare.read([1, 0, 2, 0, 3, 0], at: 0).nanos == nil)

        elements["in_timestamp"] = try element("le:s64/64>>0", index: 3)
        let timed = try #require(IIOScan(elements))
        #expect(timed.byteCount == 16)
        let bytes: [UInt8] = [1, 0, 2, 0, 3, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]
        #expect(timed.read([0] + bytes, at: 1).nanos == 7)

        // Something that cannot be left out, in front and of another size.
        elements = ["in_temp": try element("be:s32/32X2>>0", index: 0)]
        for (place, name) in IIOScan.axisNames.enumerated() {
            elements[name] = try element("be:s8/8>>0", index: place + 1)
        }
        let mixed = try #require(IIOScan(elements))
        #expect(mixed.byteCount == 16)
        #expect(mixed.read([UInt8](0..<16), at: 0).raw == [8, 9, 10])
    }

    @Test("A scan without one of the axes is none") func incomplete() throws {
        #expect(IIOScan([:]) == nil)
        #expect(
            IIOScan(["in_accel_x": try element("le:s16/16>>0"), "in_accel_y": try element("le:s16/16>>0", index: 1)])
                == nil)
    }

    @Test("Counts become g by offset, scale and mounting") func conversion() {
        var conversion = IIOConversion(scales: [0.00980665, 0.00980665, 0.0196133], offsets: [0, 10, 0])
        let now = Instant(millis: 5)
        #expect(abs(conversion.sample([100, -10, 500], at: now).x - 0.1) < 1e-9)
        #expect(conversion.sample([100, -10, 500], at: now).y == 0)
        #expect(abs(conversion.sample([100, -10, 500], at: now).z - 1) < 1e-9)
        conversion.mounting = IIOConversion.mounting("0, 1, 0; -1, 0, 0; 0, 0, 1") ?? []
        let turned = conversion.sample([100, -10, 500], at: now)
        #expect(turned.x == 0 && abs(turned.y + 0.1) < 1e-9 && turned.instant == now)
    }

    @Test(
        "A mounting that is none, or does not keep lengths, is not taken",
        arguments: [
            "", "1, 0, 0", "1, 0, 0; 0, 1, 0; 0, 0, x", "0, 0, 0; 0, 0, 0; 0, 0, 0", "2, 0, 0; 0, 2, 0; 0, 0, 2",
            "1, 0, 0; 1, 0, 0; 0, 0, 1",
        ])
    func mounting(text: String) { #expect(IIOConversion.mounting(text) == nil) }

    @Test(
        "The slowest rate is chosen that is not below the wish, else the fastest, as the driver writes it",
        arguments: [
            ("12.500000 25 50 100", 50.0, "50"), ("12.5 25 50 100", 10, "12.5"), ("100 50 25", 26, "50"),
            ("1 10 25", 50, "25"), ("[1 1 100]", 50, "50"), ("[20 0.5 100]", 10, "20"), ("[1 1 25]", 50, "25"),
            ("[1 1 100]", 12.2, "13"),
        ])
    func rates(text: String, wish: Double, choice: String) {
        #expect(IIORates.choice(text, atLeast: wish)?.hasPrefix(choice) == true)
    }

    @Test("Where nothing is offered there is no choice", arguments: ["", "x y", "[1 2]", "0"])
    func noRates(text: String) { #expect(IIORates.choice(text, atLeast: 50) == nil) }
}
