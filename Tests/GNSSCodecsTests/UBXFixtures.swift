import GNSSCodecs
import TrackerModel

/// A frame around this payload, its checksum as the interface description computes it.
func ubxFrame(_ messageClass: UInt8, _ messageID: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let body = [messageClass, messageID, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
    var (a, b): (UInt8, UInt8) = (0, 0)
    for byte in body {
        a &+= byte
        b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
}

/// Little-endian bytes of a number.
func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Value(8 * $0)) }
}

/// The parts of a payload in one: long sums of arrays take the older compiler too long.
func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

/// NAV-PVT of a good 3-D fix in Munich, to be changed by each test.
struct PVTSample {
    var iTOW: UInt32 = 388_800_000
    var date: (year: UInt16, month: UInt8, day: UInt8) = (2_027, 1, 7)
    var clock: (hour: UInt8, minute: UInt8, second: UInt8) = (12, 0, 0)
    var valid: UInt8 = 7
    var nano: Int32 = 0
    var fixType: UInt8 = 3
    var flags: UInt8 = 1
    var satellites: UInt8 = 11
    var latitudeE7: Int32 = 481_173_000
    var longitudeE7: Int32 = 115_166_667
    var heightMSLMM: Int32 = 545_400
    var hAccMM: UInt32 = 2_500
    var vAccMM: UInt32 = 4_000
    var speedMMS: Int32 = 12_340
    var headingE5: Int32 = 8_440_000
    var sAccMMS: UInt32 = 300
    var headAccE5: UInt32 = 150_000
    var flags3: UInt8 = 0
    var length = 92

    /// The n-th second after the sample's.
    static func second(_ number: Int) -> PVTSample {
        var sample = PVTSample()
        sample.iTOW += UInt32(number) * 1_000
        sample.clock = (12, UInt8(number / 60), UInt8(number % 60))
        return sample
    }

    var frame: [UInt8] {
        var payload = joined(
            little(iTOW), little(date.year), [date.month, date.day, clock.hour, clock.minute, clock.second])
        payload += joined([valid], little(UInt32(30)), little(nano), [fixType, flags, 0, satellites])
        payload += joined(little(longitudeE7), little(latitudeE7), little(heightMSLMM + 47_000), little(heightMSLMM))
        payload += joined(little(hAccMM), little(vAccMM))
        payload += [UInt8](repeating: 0, count: 12)
        payload += joined(little(speedMMS), little(headingE5), little(sAccMMS), little(headAccE5), little(UInt16(150)))
        payload += [flags3] + [UInt8](repeating: 0, count: length - 79)
        return ubxFrame(0x01, 0x07, payload)
    }
}

/// The parts of a solution as receivers without NAV-PVT send them.
enum UBXPart {
    static func position(_ iTOW: UInt32, hAccMM: UInt32 = 3_000) -> [UInt8] {
        ubxFrame(
            0x01, 0x02,
            joined(
                little(iTOW), little(Int32(115_166_667)), little(Int32(481_173_000)), little(Int32(592_000)),
                little(Int32(545_400)), little(hAccMM), little(UInt32(5_000))))
    }

    static func status(_ iTOW: UInt32, fix: UInt8 = 3, flags: UInt8 = 1, spoofing: UInt8 = 1) -> [UInt8] {
        ubxFrame(
            0x01, 0x03,
            joined(little(iTOW), [fix, flags, 0, spoofing << 3], little(UInt32(30_000)), little(UInt32(90_000))))
    }

    static func dop(_ iTOW: UInt32, hdopE2: UInt16 = 90) -> [UInt8] {
        ubxFrame(
            0x01, 0x04,
            joined(
                little(iTOW), [200, 150, 80, 120].flatMap { little(UInt16($0)) }, little(hdopE2), little(UInt16(60)),
                little(UInt16(60))))
    }

    static func sol(_ iTOW: UInt32, fix: UInt8 = 3, flags: UInt8 = 0x0D, satellites: UInt8 = 8) -> [UInt8] {
        var payload = joined(little(iTOW), little(Int32(0)), little(Int16(2_453)), [fix, flags])
        // Munich, as the other parts; 10 m/s to the east.
        for value in [418_051_437, 85_180_174, 472_603_446] { payload += little(Int32(value)) }
        payload += little(UInt32(450))
        for value in [-200, 980, 0] { payload += little(Int32(value)) }
        payload += joined(little(UInt32(50)), little(UInt16(150)), [0, satellites], little(UInt32(0)))
        return ubxFrame(0x01, 0x06, payload)
    }

    static func velocity(_ iTOW: UInt32) -> [UInt8] {
        var payload = little(iTOW)
        for value in [0, 1_000, 0] { payload += little(Int32(value)) }
        payload += joined(little(UInt32(1_000)), little(UInt32(1_000)), little(Int32(9_000_000)), little(UInt32(40)))
        payload += little(UInt32(200_000))
        return ubxFrame(0x01, 0x12, payload)
    }

    static func timeUTC(_ iTOW: UInt32, second: UInt8, valid: UInt8 = 7, nano: Int32 = 0) -> [UInt8] {
        ubxFrame(
            0x01, 0x21,
            joined(little(iTOW), little(UInt32(30)), little(nano), little(UInt16(2_027)), [1, 7, 12, 0, second, valid]))
    }

    static func end(_ iTOW: UInt32) -> [UInt8] { ubxFrame(0x01, 0x61, little(iTOW)) }

    /// MON-HW of u-blox 7 and 8.
    static func hardware(antenna: UInt8 = 2, power: UInt8 = 1, jamming: UInt8 = 5) -> [UInt8] {
        var payload = [UInt8](repeating: 0, count: 60)
        (payload[20], payload[21], payload[45]) = (antenna, power, jamming)
        return ubxFrame(0x0A, 0x09, payload)
    }

    /// MON-VER with so many extensions.
    static func version(_ lines: [String]) -> [UInt8] {
        func padded(_ text: String, _ length: Int) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
        }
        return ubxFrame(
            0x0A, 0x04, padded("EXT CORE 3.01 (107900)", 30) + padded("00080000", 10) + lines.flatMap { padded($0, 30) }
        )
    }
}

/// Feeds a decoder bytes instead of text.
struct UBXBench {
    var decoder: GNSSDecoder
    private(set) var outputs: [GNSSOutput] = []

    init(_ config: GNSSDecoderConfig = GNSSDecoderConfig()) { decoder = GNSSDecoder(config: config) }

    /// - Returns: what these bytes closed at once.
    @discardableResult mutating func feed(_ bytes: [UInt8], atMillis millis: Int64) -> [GNSSOutput] {
        var closed: [GNSSOutput] = []
        decoder.feed(bytes, at: Instant(millis: millis)) { closed.append($0) }
        outputs += closed
        return closed
    }

    @discardableResult mutating func expire(atMillis millis: Int64) -> [GNSSOutput] {
        var closed: [GNSSOutput] = []
        decoder.expire(at: Instant(millis: millis)) { closed.append($0) }
        outputs += closed
        return closed
    }

    mutating func finish() {
        var closed: [GNSSOutput] = []
        decoder.finish { closed.append($0) }
        outputs += closed
    }

    var fixes: [TrackFix] { outputs.compactMap(\.fix) }
    var diagnostics: [String] { outputs.compactMap { if case .diagnostic(let name) = $0 { name } else { nil } } }
    var health: [ReceiverHealth] { outputs.compactMap { if case .health(let health) = $0 { health } else { nil } } }
    var skies: [SkyView] { outputs.compactMap { if case .sky(let sky) = $0 { sky } else { nil } } }
}

/// The fix of these frames.
func onlyFix(ofFrames frames: [UInt8]..., config: GNSSDecoderConfig = GNSSDecoderConfig()) -> TrackFix? {
    var bench = UBXBench(config)
    bench.feed(frames.flatMap { $0 }, atMillis: 1_000)
    bench.finish()
    return bench.fixes.first
}
