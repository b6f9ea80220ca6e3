import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("Commands to receivers")
struct ReceiverCommandTests {
    private static let both: ReceiverCommand.Protocols = [.ubx, .nmea]

    private static func hex(_ command: ReceiverCommand) -> String {
        command.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    }

    private static func text(_ command: ReceiverCommand) -> String { String(decoding: command.bytes, as: UTF8.self) }

    // Bytes as the application notes and interface descriptions print them, or computed from their tables.
    @Test(
        "UBX commands are the documented bytes",
        arguments: [
            (.ubxPollVersion, "B5 62 0A 04 00 00 0E 34"), (.ubxPollPort, "B5 62 06 00 00 00 06 18"),
            (
                .ubxPort(baud: 115_200, input: [.ubx, .nmea, .rtcm2], output: both),
                "B5 62 06 00 14 00 01 00 00 00 D0 08 00 00 00 C2 01 00 07 00 03 00 00 00 00 00 C0 7E"
            ),
            (.ubxRate(intervalMillis: 1_000), "B5 62 06 08 06 00 E8 03 01 00 01 00 01 39"),
            (.ubxRate(intervalMillis: 200), "B5 62 06 08 06 00 C8 00 01 00 01 00 DE 6A"),
            (.ubxMessageRate(messageClass: 1, messageID: 7, rate: 1), "B5 62 06 01 03 00 01 07 01 13 51"),
            (.ubxMessageRate(messageClass: 0xF0, messageID: 0, rate: 0), "B5 62 06 01 03 00 F0 00 00 FA 0F"),
            (.ubxSave, "B5 62 06 09 0D 00 00 00 00 00 FF FF 00 00 00 00 00 00 17 31 BF"),
            (.ubxReset(.hot), "B5 62 06 04 04 00 00 00 02 00 10 68"),
            (.ubxReset(.warm), "B5 62 06 04 04 00 01 00 02 00 11 6C"),
            (.ubxReset(.cold), "B5 62 06 04 04 00 FF FF 02 00 0E 61"),
            (.ubxReset(.cold, restartsHardware: true), "B5 62 06 04 04 00 FF FF 04 00 10 65"),
            (
                .ubxBackup(durationMillis: 0, protocolVersion: 1_400),
                "B5 62 02 41 08 00 00 00 00 00 02 00 00 00 4D 3B"
            ),
        ] as [(ReceiverCommand, String)])
    func ubx(command: ReceiverCommand, bytes: String) { #expect(Self.hex(command) == bytes) }

    @Test("Sleep of protocol 18 names what wakes the receiver")
    func backup() {
        let command = ReceiverCommand.ubxBackup(durationMillis: 60_000, protocolVersion: 1_800)
        let payload: [UInt8] = joined([0, 0, 0, 0], little(UInt32(60_000)), little(UInt32(6)), little(UInt32(0x28)))
        #expect(command.bytes == ubxFrame(0x02, 0x41, payload))
    }

    @Test("Values go to the volatile layer, each in the size of its key")
    func values() {
        let command = ReceiverCommand.ubxSet([
            (.uart1Baud, 115_200), (.measurementInterval, 1_000), (.uart1NavPVT, 1), (.uart1GGA, 0),
            (.uart1OutputNMEA, 0),
        ])
        var payload: [UInt8] = [0, 1, 0, 0, 0x01, 0x00, 0x52, 0x40, 0x00, 0xC2, 0x01, 0x00]
        payload += [0x01, 0x00, 0x21, 0x30, 0xE8, 0x03, 0x07, 0x00, 0x91, 0x20, 0x01]
        payload += [0xBB, 0x00, 0x91, 0x20, 0x00, 0x02, 0x00, 0x74, 0x10, 0x00]
        #expect(command.bytes == ubxFrame(0x06, 0x8A, payload))
        #expect(command.answer == .ubx(messageClass: 0x06, messageID: 0x8A))
        #expect(
            ReceiverCommand.ubxPollPortKeys.bytes
                == ubxFrame(
                    0x06, 0x8B,
                    joined(
                        [0, 0, 0, 0], little(UInt32(0x4052_0001)), little(UInt32(0x1074_0001)),
                        little(UInt32(0x1074_0002)))))
    }

    @Test("Position and time are handed over in the receiver's units")
    func aiding() {
        let place = ReceiverCommand.ubxAidPosition(
            Coordinate(latitude: 48.1173, longitude: -11.5166667), altitudeM: 545.4, accuracyM: 250)
        var payload: [UInt8] = joined([1, 0, 0, 0], little(Int32(481_173_000)), little(Int32(-115_166_667)))
        payload += joined(little(Int32(54_540)), little(UInt32(25_000)))
        #expect(place.bytes == ubxFrame(0x13, 0x40, payload))

        let time = ReceiverCommand.ubxAidTime(UTCTime(millis: 1_799_323_205_250), accuracyMillis: 2_500)
        payload = joined([0x10, 0, 0, 0x80], little(UInt16(2_027)), [1, 7, 12, 0, 5, 0], little(UInt32(250_000_000)))
        payload += joined(little(UInt16(2)), [0, 0], little(UInt32(500_000_000)))
        #expect(time.bytes == ubxFrame(0x13, 0x40, payload))
        // Bounds do not trap.
        _ = ReceiverCommand.ubxAidTime(UTCTime(millis: .min / 2), accuracyMillis: .max)
        _ = ReceiverCommand.ubxAidPosition(
            Coordinate(latitude: 90, longitude: 180), altitudeM: 1e300, accuracyM: 1e300)
    }

    @Test(
        "Sentences are the documented ones",
        arguments: [
            (.pubxPort(baud: 115_200, input: [.ubx, .nmea, .rtcm2], output: both), "$PUBX,41,1,0007,0003,115200,0*18"),
            (.pubxPort(baud: 9_600, input: [.ubx, .nmea, .rtcm2], output: both), "$PUBX,41,1,0007,0003,9600,0*10"),
            (.mtkPollVersion, "$PMTK605*31"), (.mtkRate(intervalMillis: 1_000), "$PMTK220,1000*1F"),
            (.mtkRate(intervalMillis: 200), "$PMTK220,200*2C"), (.mtkBaud(38_400), "$PMTK251,38400*27"),
            (.mtkBaud(115_200), "$PMTK251,115200*1F"), (.mtkReset(.hot), "$PMTK101*32"),
            (.mtkReset(.warm), "$PMTK102*31"), (.mtkReset(.cold), "$PMTK103*30"), (.mtkReset(.factory), "$PMTK104*37"),
            (.mtkSentences([.rmc, .gga]), "$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28"),
            (.mtkSentences([.rmc]), "$PMTK314,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*29"),
            (.mtkStandby, "$PMTK161,0*28"), (.pairRate(intervalMillis: 200), "$PAIR050,200*21"),
            (.pairRate(intervalMillis: 100), "$PAIR050,100*22"), (.pairSentence(.gga, rate: 3), "$PAIR062,0,3*3D"),
            (.pairSentence(.gsv, rate: 0), "$PAIR062,3,0*3D"), (.pairBaud(115_200), "$PAIR864,0,0,115200*1B"),
            (.pairReset(.factory), "$PAIR007*3D"), (.quectelPollVersion, "$PQTMVERNO*58"),
            (.quectelMessageRate("GST", rate: 1), "$PQTMCFGMSGRATE,W,GST,1*0B"),
        ] as [(ReceiverCommand, String)])
    func sentences(command: ReceiverCommand, line: String) { #expect(Self.text(command) == line + "\r\n") }

    @Test("All of a MediaTek's sentences have their place")
    func allSentences() {
        #expect(
            Self.text(.mtkSentences(Set(ReceiverCommand.Sentence.allCases)))
                .hasPrefix("$PMTK314,1,1,1,1,1,1,0,1,0,0,0,0,0,0,0,0,0,1,0*"))
    }

    @Test("A command knows its answer among the outputs")
    func answers() {
        let rate = ReceiverCommand.ubxRate(intervalMillis: 1_000)
        #expect(rate.judge(.reply(.ubx(isAccepted: true, messageClass: 6, messageID: 8))) == true)
        #expect(rate.judge(.reply(.ubx(isAccepted: false, messageClass: 6, messageID: 8))) == false)
        #expect(rate.judge(.reply(.ubx(isAccepted: true, messageClass: 6, messageID: 1))) == nil)
        #expect(rate.judge(.notice("")) == nil)
        #expect(
            ReceiverCommand.mtkRate(intervalMillis: 1_000).judge(.reply(.mtk(command: 220, isAccepted: true))) == true)
        #expect(
            ReceiverCommand.pairRate(intervalMillis: 1_000).judge(.reply(.mtk(command: 220, isAccepted: true))) == nil)
        #expect(
            ReceiverCommand.quectelMessageRate("GST", rate: 1)
                .judge(.reply(.quectel(command: "PQTMCFGMSGRATE", isAccepted: false))) == false)
        #expect(ReceiverCommand.ubxPollVersion.judge(.identity(ReceiverIdentity(family: .ublox))) == true)
        #expect(ReceiverCommand.ubxPollPort.judge(.reply(.port(baud: 9_600, outputProtocols: 3))) == true)
        #expect(ReceiverCommand.mtkBaud(9_600).judge(.reply(.mtk(command: 251, isAccepted: true))) == nil)
    }

    @Test("What is sent can be read back")
    func roundTrip() {
        var bench = UBXBench()
        bench.feed(
            ReceiverCommand.ubxPort(baud: 460_800, input: Self.both, output: .ubx).bytes
                + ReceiverCommand.mtkBaud(9_600).bytes, atMillis: 0)
        #expect(bench.outputs.first == .reply(.port(baud: 460_800, outputProtocols: 1)))
        #expect(bench.decoder.counters.ubxFrames == 1 && bench.decoder.counters.sentences == 1)
        #expect(bench.decoder.counters.garbageBytes == 0)
    }
}
