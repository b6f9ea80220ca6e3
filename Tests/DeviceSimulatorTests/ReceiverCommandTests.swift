import Testing

@testable import DeviceSimulator

@Suite("Simulated receiver: commands and answers")
struct ReceiverCommandTests {
    /// What is sent and whether it is acknowledged; `nil`: no answer at all.
    struct Row: Sendable, CustomTestStringConvertible {
        var family: SimulatedFamily
        var id: UInt16
        var payload: [UInt8]
        var answer: Bool?
        var testDescription: String { "\(family) \(String(id, radix: 16)) \(payload.count) bytes" }

        init(_ family: SimulatedFamily, _ id: UInt16, _ payload: [UInt8], _ answer: Bool?) {
            (self.family, self.id, self.payload, self.answer) = (family, id, payload, answer)
        }
    }

    static let rows: [Row] = [
        Row(.ublox6, 0x0601, [0x01, 0x06, 1], true),
        Row(.ublox6, 0x0601, [0x01, 0x07, 1], false),
        Row(.ublox6, 0x0608, rateCommand(200), true),
        Row(.ublox6, 0x0608, rateCommand(100), false),
        Row(.ublox8, 0x0601, [0x01, 0x07, 1], true),
        Row(.ublox8, 0x0601, [0x01, 0x07, 0, 1, 0, 0, 0, 0], true),
        Row(.ublox8, 0x0601, [0x01, 0x07], true),
        Row(.ublox8, 0x0601, [0x01, 0x99, 1], false),
        Row(.ublox8, 0x0608, rateCommand(100), true),
        Row(.ublox8, 0x0608, rateCommand(20), false),
        Row(.ublox8, 0x0608, [], true),
        Row(.ublox8, 0x0600, portCommand(baud: 9_600), true),
        Row(.ublox8, 0x0600, portCommand(baud: 12_345), false),
        Row(.ublox8, 0x0600, [], true),
        Row(.ublox8, 0x0624, [UInt8](repeating: 0, count: 36), true),
        Row(.ublox8, 0x0699, [], false),
        Row(.ublox8, 0x068A, valueCommand(1, 0x2091_0007, 1, 1), false),
        Row(.ublox8, 0x0609, storeCommand(save: 0xFFFF, devices: 1), true),
        Row(.ublox10, 0x068A, valueCommand(1, 0x2091_0007, 1, 1), true),
        Row(.ublox10, 0x068A, valueCommand(1, 0x2011_0021, 4, 1), true),
        Row(.ublox10, 0x068A, valueCommand(1, 0x2099_0007, 1, 1), false),
        Row(.ublox10, 0x068A, valueCommand(0, 0x2091_0007, 1, 1), false),
        Row(.ublox10, 0x068A, Array(valueCommand(1, 0x3021_0001, 100, 2).dropLast()), false),
        Row(.ublox10, 0x068B, joined([0, 0, 0, 0], little(0x4052_0001, 4)), true),
        Row(.ublox10, 0x068B, joined([0, 0, 0, 0], little(0x2099_0001, 4)), false),
        Row(.ublox10, 0x0601, [0x01, 0x07, 1], false),
        Row(.ublox8, 0x0199, [], nil),
        Row(.mtk, 0x0608, [], nil),
        Row(.generic, 0x0608, [], nil),
    ]

    @Test("A u-blox acknowledges what it has and refuses what it has not", arguments: rows)
    func acknowledgement(row: Row) throws {
        var bench = try ReceiverBench(row.family)
        bench.run(seconds: 1)
        bench.forget()
        bench.send(row.id, row.payload)
        bench.run(seconds: 1.9)
        let answers = bench.frames.filter { $0.id >> 8 == 0x05 }
        if let isDone = row.answer {
            #expect(answers.map(\.id) == [isDone ? 0x0501 : 0x0500])
            #expect(answers.first?.payload == [UInt8(row.id >> 8), UInt8(row.id & 0xFF)])
        } else {
            #expect(answers.isEmpty)
        }
    }

    static let answers: [(SimulatedFamily, String, String?)] = [
        (.mtk, "PMTK000", "PMTK001,0,3"),
        (.mtk, "PMTK220,200", "PMTK001,220,3"),
        (.mtk, "PMTK220,50", "PMTK001,220,2"),
        (.mtk, "PMTK251,115200", "PMTK001,251,3"),
        (.mtk, "PMTK251,123", "PMTK001,251,2"),
        (.mtk, "PMTK314,0,1,0,1,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0", "PMTK001,314,3"),
        (.mtk, "PMTK314,1,2", "PMTK001,314,2"),
        (.mtk, "PMTK314,-1", "PMTK001,314,3"),
        (.mtk, "PMTK605", "PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0"),
        (.mtk, "PMTK400", "PMTK500,1000,0,0,0,0"),
        (.mtk, "PMTK161,0", "PMTK001,161,3"),
        (.mtk, "PMTK101", "PMTK010,001"),
        (.mtk, "PMTK102", "PMTK011,MTKGPS"),
        (.mtk, "PMTK999", "PMTK001,999,1"),
        (.mtk, "PUBX,00", nil),
        (.quectel, "PAIR050,200", "PAIR001,050,0"),
        (.quectel, "PAIR050,20", "PAIR001,050,4"),
        (.quectel, "PAIR062,8,1", "PAIR001,062,0"),
        (.quectel, "PAIR062,44,1", "PAIR001,062,4"),
        (.quectel, "PAIR051", "PAIR051,1000"),
        (.quectel, "PAIR864,0,0,9600", "PAIR001,864,0"),
        (.quectel, "PAIR513", "PAIR001,513,0"),
        (.quectel, "PAIR004", "PAIR001,004,0"),
        (.quectel, "PAIR777", "PAIR001,777,3"),
        (.quectel, "PQTMVERNO", "PQTMVERNO,LC76GPANR12A03S,2023/05/05,10:20:30"),
        (.quectel, "PQTMSAVEPAR", "PQTMSAVEPAR,OK"),
        (.quectel, "PQTMNONSENSE", "PQTMNONSENSE,ERROR,3"),
        (.generic, "PMTK605", nil),
        (.ublox8, "PMTK605", nil),
    ]

    @Test("PMTK, PAIR and PQTM commands have their answers", arguments: answers)
    func sentenceAnswers(family: SimulatedFamily, command: String, answer: String?) throws {
        var bench = try ReceiverBench(family)
        bench.run(seconds: 1)
        bench.forget()
        bench.send(sentence: command)
        bench.run(seconds: 2.9)
        let private_ = bench.sentences.filter { $0[0].hasPrefix("P") }.map { $0.joined(separator: ",") }
        if let answer { #expect(private_.contains(answer)) } else { #expect(private_.isEmpty) }
    }

    @Test(
        "MON-VER tells what it is",
        arguments: [
            (SimulatedFamily.ublox6, "7.03 (45969)", 40), (.ublox8, "EXT CORE 3.01 (107888)", 190),
            (.ublox10, "ROM SPG 5.10 (7b202e)", 160),
        ])
    func version(family: SimulatedFamily, software: String, size: Int) throws {
        var bench = try ReceiverBench(family)
        bench.send(0x0A04)
        bench.run(seconds: 0.9)
        let answer = try #require(bench.frames(0x0A04).first)
        #expect(answer.payload.count == size)
        #expect(String(decoding: answer.payload.prefix { $0 != 0 }, as: UTF8.self) == software)
    }

    @Test("An empty output message asks for it once")
    func poll() throws {
        var bench = try ReceiverBench(.ublox8)
        bench.run(seconds: 3)
        bench.send(0x0107)
        bench.send(0x0A09)
        bench.run(seconds: 3)
        #expect(bench.frames(0x0107).count == 1)
        #expect(bench.frames(0x0A09).map(\.payload.count) == [60])
    }

    @Test("A command that is damaged, or split anywhere, is not heard twice and not lost")
    func framing() {
        let command = UBXFrame.bytes(0x0608, rateCommand(200))
        let sentence = Array("$PMTK605*31\r\n".utf8)
        for cut in 0...(command.count + sentence.count) {
            var framer = CommandFramer()
            let all = command + sentence
            let found = framer.take(Array(all[..<cut])) + framer.take(Array(all[cut...]))
            #expect(found == [.ubx(id: 0x0608, payload: rateCommand(200)), .sentence(["PMTK605"])])
        }
        for index in command.indices {
            var framer = CommandFramer()
            var damaged = command
            damaged[index] ^= 4
            #expect(
                framer.take(damaged + [UInt8](repeating: 0, count: 1_100) + sentence).last == .sentence(["PMTK605"]))
        }
    }

    @Test("CFG-MSG, CFG-RATE and PUBX,40 change what is sent")
    func messages() throws {
        var bench = try ReceiverBench(.ublox8, baud: 115_200)
        bench.send(0x0601, [0x01, 0x07, 1])
        bench.send(0x0601, [0xF0, 0x03, 0])
        bench.send(sentence: "PUBX,40,GLL,0,0,0,0,0,0")
        bench.send(sentence: "PUBX,40,GST,0,1,0,0,0,0")
        bench.send(0x0608, rateCommand(200))
        bench.run(seconds: 1.5)
        bench.forget()
        bench.run(seconds: 2)
        #expect((9...11).contains(bench.frames(0x0107).count))
        #expect((9...11).contains(bench.sentences("GST").count))
        #expect(bench.sentences("GSV").isEmpty && bench.sentences("GLL").isEmpty)
    }

    @Test("Each MediaTek and Quectel sentence can be chosen and the rate set to 10 Hz")
    func tenHertz() throws {
        var mtk = try ReceiverBench(.mtk, baud: 115_200)
        mtk.send(sentence: "PMTK314,0,1,0,1,0,0,0,1,0,0,0,0,0,0,0,0,0,1,0")
        mtk.send(sentence: "PMTK220,100")
        mtk.run(seconds: 1.5)
        mtk.forget()
        mtk.run(seconds: 2)
        #expect(Set(mtk.sentences.map { String($0[0].dropFirst(2)) }) == ["RMC", "GGA", "GST", "ZDA"])
        #expect((19...21).contains(mtk.sentences("RMC").count))
        var quectel = try ReceiverBench(.quectel)
        quectel.send(sentence: "PAIR062,3,0")
        quectel.send(sentence: "PAIR062,8,1")
        quectel.send(sentence: "PAIR050,100")
        quectel.run(seconds: 1.5)
        quectel.forget()
        quectel.run(seconds: 2)
        #expect(quectel.sentences("GSV").isEmpty)
        #expect((19...21).contains(quectel.sentences("GST").count))
    }
}
