import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("What a UBX receiver tells besides fixes")
struct UBXReportTests {
    private func outputs(_ frames: [UInt8]...) -> [GNSSOutput] {
        var bench = UBXBench()
        for frame in frames { bench.feed(frame, atMillis: 0) }
        return bench.outputs
    }

    @Test("MON-VER names model, firmware and protocol")
    func version() {
        let modern = UBXPart.version([
            "ROM BASE 3.01 (107888)", "FWVER=SPG 3.01", "PROTVER=18.00", "MOD=NEO-M8N-0", "GPS;GLO;GAL;BDS",
        ])
        #expect(
            outputs(modern) == [
                .identity(
                    ReceiverIdentity(
                        family: .ublox, model: "NEO-M8N-0", firmware: "SPG 3.01", protocolVersion: 1_800))
            ])
        let older = UBXPart.version(["PROTVER 14.00"])
        #expect(
            outputs(older) == [
                .identity(
                    ReceiverIdentity(
                        family: .ublox, model: "u-blox 8", firmware: "EXT CORE 3.01 (107900)", protocolVersion: 1_400))
            ])
        #expect(
            outputs(UBXPart.version([])) == [
                .identity(ReceiverIdentity(family: .ublox, model: "u-blox 8", firmware: "EXT CORE 3.01 (107900)"))
            ])
    }

    @Test(
        "Protocol versions are hundredths",
        arguments: [("27.31", 2_731), ("34.1", 3_410), ("15", 1_500), ("x", nil), ("18.x", nil)] as [(String, Int?)])
    func hundredths(text: String, value: Int?) { #expect(UBXIdentity.hundredths(text) == value) }

    @Test("NAV-SAT gives every system, and what is unknown is nil")
    func sat() {
        func block(_ system: UInt8, _ number: UInt8, _ cn0: UInt8, _ elevation: Int8, _ azimuth: Int16, used: Bool)
            -> [UInt8]
        {
            joined(
                [system, number, cn0, UInt8(bitPattern: elevation)], little(azimuth), little(Int16(0)),
                little(UInt32(used ? 0x1F : 0x17)))
        }
        let blocks = [
            block(0, 7, 42, 65, 120, used: true), block(1, 120, 30, 20, 360, used: false),
            block(2, 33, 0, -91, 0, used: false), block(3, 12, 25, 5, 359, used: true),
            block(4, 1, 25, 5, 10, used: false), block(5, 2, 18, 80, 0, used: false),
            block(6, 255, 18, 40, 0, used: false), block(6, 24, 18, -3, 77, used: false),
        ]
        let frame = ubxFrame(
            0x01, 0x35, joined(little(UInt32(1_000)), [1, UInt8(blocks.count), 0, 0], blocks.flatMap { $0 }))
        let sky = SkyView(
            satellites: [
                SatelliteInView(
                    constellation: .gps, number: 7, elevationDeg: 65, azimuthDeg: 120, cn0DBHz: 42, isUsed: true),
                SatelliteInView(constellation: .sbas, number: 120, elevationDeg: 20, azimuthDeg: 0, cn0DBHz: 30),
                SatelliteInView(constellation: .galileo, number: 33),
                SatelliteInView(
                    constellation: .beidou, number: 12, elevationDeg: 5, azimuthDeg: 359, cn0DBHz: 25, isUsed: true),
                SatelliteInView(constellation: .qzss, number: 2, elevationDeg: 80, azimuthDeg: 0, cn0DBHz: 18),
                SatelliteInView(constellation: .glonass, number: 24, elevationDeg: -3, azimuthDeg: 77, cn0DBHz: 18),
            ], pdop: 1.5, hdop: 0.9, vdop: 1.2)
        #expect(outputs(UBXPart.dop(1_000), frame) == [.sky(sky)])
        // Cut short.
        #expect(outputs(ubxFrame(0x01, 0x35, Array(frame[6..<80]))).isEmpty)
    }

    @Test("NAV-SVINFO has one numbering for all systems")
    func svinfo() {
        let numbers: [UInt8] = [1, 32, 33, 64, 65, 96, 120, 158, 159, 163, 173, 193, 197, 211, 246, 255]
        let blocks = numbers.map { joined([0, $0, 1, 7, 40, 30], little(Int16(100)), little(Int32(0))) }
        let frame = ubxFrame(
            0x01, 0x30, joined(little(UInt32(1_000)), [UInt8(blocks.count), 0, 0, 0], blocks.flatMap { $0 }))
        var bench = UBXBench()
        bench.feed(frame, atMillis: 0)
        let seen = bench.skies.first?.satellites.map { "\($0.constellation.rawValue) \($0.number)" } ?? []
        #expect(
            seen == [
                "gps 1", "gps 32", "beidou 6", "beidou 37", "glonass 1", "glonass 32", "sbas 120", "sbas 158",
                "beidou 1", "beidou 5", "qzss 1", "qzss 5", "galileo 1", "galileo 36",
            ])
        #expect(bench.skies.first?.satellites.allSatisfy { $0.isUsed && $0.cn0DBHz == 40 } == true)
        // A receiver that sends NAV-SAT is not listened to twice.
        bench.feed(ubxFrame(0x01, 0x35, joined(little(UInt32(2_000)), [1, 0, 0, 0])) + frame, atMillis: 1_000)
        #expect(bench.skies.count == 2)
    }

    @Test("Acknowledgements and port settings are replies")
    func replies() {
        let port = ubxFrame(
            0x06, 0x00,
            joined(
                [1, 0, 0, 0], little(UInt32(0x8D0)), little(UInt32(115_200)), little(UInt16(7)), little(UInt16(3)),
                [0, 0, 0, 0]))
        var usb = Array(port[6..<26])
        usb[0] = 3
        let values = ubxFrame(
            0x06, 0x8B,
            joined(
                [1, 0, 0, 0], little(UInt32(0x4052_0001)), little(UInt32(38_400)), little(UInt32(0x1074_0001)), [1],
                little(UInt32(0x1074_0002)), [0]))
        #expect(
            outputs(
                ubxFrame(0x05, 0x01, [0x06, 0x08]), ubxFrame(0x05, 0x00, [0x06, 0x8A]), port, ubxFrame(0x06, 0x00, usb),
                values)
                == [
                    .reply(.ubx(isAccepted: true, messageClass: 0x06, messageID: 0x08)),
                    .reply(.ubx(isAccepted: false, messageClass: 0x06, messageID: 0x8A)),
                    .reply(.port(baud: 115_200, outputProtocols: 3)),
                    .reply(.port(baud: 38_400, outputProtocols: 1)),
                ])
    }

    @Test("INF messages are notices, their text made printable", arguments: 0...4 as ClosedRange<UInt8>)
    func notices(messageID: UInt8) {
        #expect(
            outputs(ubxFrame(0x04, messageID, Array("ANTSTATUS=OK\u{1}".utf8))) == [.notice("ANTSTATUS=OK?")])
    }

    @Test("A message with an impossible length is counted and changes nothing")
    func malformed() {
        var bench = UBXBench()
        bench.feed(ubxFrame(0x01, 0x07, [UInt8](repeating: 0xFF, count: 83)), atMillis: 0)
        bench.feed(ubxFrame(0x05, 0x01, [6]), atMillis: 0)
        bench.feed(ubxFrame(0x0A, 0x04, [6]), atMillis: 0)
        bench.finish()
        #expect(bench.outputs.isEmpty)
        #expect(bench.decoder.counters.malformed == 3)
    }
}
