import GNSSCodecs
import TestKit
import Testing
import TrackerModel

@Suite("Frames of a log")
struct RawFrameTests {
    private func frames(_ bytes: [UInt8], blocks size: Int = .max) -> [RawFrame] {
        var scanner = RawFrameScanner()
        var found: [RawFrame] = []
        for start in stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))) {
            let block = Array(bytes[start..<min(bytes.count, start + min(size, bytes.count))])
            block.withUnsafeBufferPointer { scanner.scan($0) { found.append($0) } }
        }
        scanner.finish { found.append($0) }
        return found
    }

    private static let rmc = sentence("GPRMC,120000.00,A,4807.038,N,01131.000,E,10.0,084.4,010126,,,A")

    @Test("Each frame has its place, kind and state")
    func states() {
        let bad = Self.rmc.replacing("4807", with: "4808")
        let log = "noise" + Self.rmc + bad + "$GPGGA,12" + Self.rmc + sentence("GPRMC,1,D") + "!AIVDM,1\u{1}"
        let found = frames(Array(log.utf8))
        #expect(found.map(\.kind) == ["GPRMC", "GPRMC", "GPGGA", "GPRMC", "GPRMC", "AIVDM"])
        #expect(found.map(\.checksum) == [.ok, .wrong, .cut, .ok, .ok, .cut])
        #expect(found.map(\.isMalformed) == [false, false, false, false, true, false])
        let bytes = Array(log.utf8)
        #expect(found.allSatisfy { bytes[Int($0.offset)] == UInt8(ascii: "$") || $0.kind == "AIVDM" })
        #expect(found[0].offset == 5 && found[0].length == Self.rmc.utf8.count - 2)
    }

    @Test("A frame is a line of JSON")
    func line() {
        #expect(
            frames(Array(Self.rmc.utf8)).map { FixLine.json($0) } == [
                #"{"offset":0,"length":66,"format":"nmea","kind":"GPRMC","checksum":"ok"}"#
            ])
    }

    @Test("UBX and RTCM frames stand among the sentences in the order of the log")
    func binary() {
        let pvt = PVTSample().frame, odd = ubxFrame(0x0A, 0x31, [1, 2]), short = ubxFrame(0x01, 0x07, [1, 2])
        // Message 1005 of two bytes; its CRC-24Q.
        let rtcm: [UInt8] = [0xD3, 0x00, 0x02, 0x3E, 0xD0] + crc24([0xD3, 0x00, 0x02, 0x3E, 0xD0])
        var bad = UBXPart.end(1)
        bad[6] ^= 1
        let long: [UInt8] = [0xB5, 0x62, 0x02, 0x15, 0x01, 0x04]
        let log = joined(
            Array(Self.rmc.utf8), pvt, odd, short, rtcm, bad, long, Array("$GPGGA,12".utf8), pvt, [0xB5, 0x62, 1])
        let found = frames(log)
        #expect(
            found.map(\.kind) == [
                "GPRMC", "NAV-PVT", "0A-31", "NAV-PVT", "1005", "NAV-EOE", "RXM-RAWX", "GPGGA", "NAV-PVT",
            ])
        #expect(found.map(\.checksum) == [.ok, .ok, .ok, .ok, .ok, .wrong, .overlong, .cut, .ok])
        #expect(found.map(\.isMalformed) == [false, false, false, true, false, false, false, false, false])
        #expect(found.map(\.format.rawValue).filter { $0 == "ubx" }.count == 6)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.offset + Int64($0.length) <= $1.offset })
        #expect(
            FixLine.json(found[1])
                == #"{"offset":68,"length":100,"format":"ubx","kind":"NAV-PVT","checksum":"ok"}"#)
    }

    /// CRC-24Q bit by bit.
    private func crc24(_ bytes: [UInt8]) -> [UInt8] {
        var crc: UInt32 = 0
        for byte in bytes {
            crc ^= UInt32(byte) << 16
            for _ in 0..<8 { crc = crc & 0x80_0000 != 0 ? (crc << 1) ^ 0x186_4CFB : crc << 1 }
        }
        return [UInt8(crc >> 16 & 0xFF), UInt8(crc >> 8 & 0xFF), UInt8(crc & 0xFF)]
    }

    @Test(
        "The frames it calls right are those of the decoder",
        .enabled(if: SharedData.isAvailable, "skipped: no shared data"),
        arguments: [
            "gpsd/ublox-f9p-rtcm.log", "gpsd/ublox-neo-m8l.log", "pyubx2/pygpsdata-BADCK2.ubx",
            "pyubx2/pygpsdata-BADHDR.ubx", "pyubx2/pygpsdata-NMEABADEND.ubx", "rtklib/ubx_20080526.ubx",
            "ublox-rs/rxm_sfrbx_glo.ubx",
        ])
    func decoders(name: String) throws {
        let bytes = try #require(SharedData.bytes("ubx/" + name))
        var told: [[Int64]] = []
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        decoder.onFrame = { told.append([$0.offset, Int64($0.length)]) }
        decoder.feed(bytes, at: .zero) { _ in }
        decoder.finish { _ in }
        let found = frames(bytes, blocks: 4_096)
        #expect(found.filter { $0.checksum == .ok }.map { [$0.offset, Int64($0.length)] } == told)
        #expect(!told.isEmpty)
    }

    @Test("Blocks of any size give the same frames (E-003)")
    func blocks() {
        var random = SeededRandom(seed: 5)
        var bytes: [UInt8] = []
        for _ in 0..<200 {
            bytes += Self.rmc.utf8.prefix(Int.random(in: 0...80, using: &random))
            bytes += PVTSample().frame.prefix(Int.random(in: 0...110, using: &random))
            if Bool.random(using: &random) { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        }
        let whole = frames(bytes)
        #expect(whole.count > 100)
        for size in [1, 2, 63, 64, 1_000] { #expect(frames(bytes, blocks: size) == whole, "blocks of \(size)") }
    }
}
