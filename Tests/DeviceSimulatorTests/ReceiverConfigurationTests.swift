import Testing
import TrackerModel

@testable import DeviceSimulator

@Suite("Simulated receiver: baud and memory")
struct ReceiverConfigurationTests {
    /// How each family is told another rate.
    private static func changeBaud(_ bench: inout ReceiverBench, _ family: SimulatedFamily, to baud: Int) {
        switch family {
        case .ublox6, .ublox8: bench.send(0x0600, portCommand(baud: baud))
        case .ublox10: bench.send(0x068A, valueCommand(1, 0x4052_0001, baud, 4))
        default: bench.send(sentence: "PMTK251,\(baud)")
        }
    }

    @Test(
        "A change of baud is answered at the old rate and holds from then on",
        arguments: [SimulatedFamily.ublox6, .ublox8, .ublox10, .mtk])
    func baudChange(family: SimulatedFamily) throws {
        var bench = try ReceiverBench(family)
        let old = bench.receiver.baud
        bench.run(seconds: 2.9)
        bench.forget()
        Self.changeBaud(&bench, family, to: 115_200)
        bench.run(seconds: 3)
        #expect(bench.receiver.baud == 115_200)
        let rates = bench.chunks.map(\.baud)
        #expect(Set(rates) == [old, 115_200] && rates == rates.sorted())
        let before = bench.chunks.filter { $0.baud == old }.flatMap(\.bytes)
        let answer = family == .mtk ? Array("$PMTK001,251,3*".utf8) : [0xB5, 0x62, 0x05, 0x01]
        #expect(before.indices.contains { before[$0...].starts(with: answer) })
        #expect(!bench.sentences("RMC").isEmpty)
    }

    @Test(
        "Cyclic tracking is acknowledged, makes the fixes worse and comes no less often",
        arguments: [SimulatedFamily.ublox8, .ublox10])
    func cyclic(family: SimulatedFamily) throws {
        var bench = try ReceiverBench(family)
        func accuracies(seconds: Double) -> [Int] {
            bench.forget()
            bench.run(seconds: seconds)
            return bench.sentences("GGA").count > 0 ? bench.frames.filter { $0.id == 0x0107 }.map { $0.u4(40) } : []
        }
        func tell(isCyclic: Bool) {
            if family == .ublox8 {
                bench.send(0x0686, [0, isCyclic ? 3 : 0, 0, 0, 0, 0, 0, 0])
            } else {
                bench.send(0x068A, valueCommand(1, 0x20D0_0001, isCyclic ? 2 : 0, 1))
            }
        }
        if family == .ublox8 {
            bench.send(0x0601, [1, 7, 1])
        } else {
            bench.send(0x068A, valueCommand(1, 0x2091_0007, 1, 1))
        }
        bench.run(seconds: 5)
        let full = accuracies(seconds: 5)
        tell(isCyclic: true)
        let cyclic = accuracies(seconds: 5)
        #expect(bench.frames.contains { $0.id == 0x0501 })
        tell(isCyclic: false)
        let again = accuracies(seconds: 5)
        #expect(full.count == cyclic.count && !full.isEmpty)
        let (before, during) = (try #require(full.last), try #require(cyclic.last))
        #expect(abs(Double(during) / Double(before) - 1.4) < 0.01)
        #expect(again.last == full.last)
    }

    @Test("A PUBX,41 changes the rate as well, and a PAIR864 with the next start")
    func otherBaudChanges() throws {
        var bench = try ReceiverBench(.ublox8)
        bench.send(sentence: "PUBX,41,1,0007,0003,38400,0")
        bench.run(seconds: 2)
        #expect(bench.receiver.baud == 38_400)
        var quectel = try ReceiverBench(.quectel)
        quectel.send(sentence: "PAIR864,0,0,9600")
        quectel.run(seconds: 2)
        #expect(quectel.receiver.baud == 115_200)
        quectel.send(sentence: "PAIR004")
        quectel.run(seconds: 2)
        #expect(quectel.receiver.baud == 9_600)
    }

    @Test("At another rate both sides get garbage", arguments: [4_800, 19_200, 38_400, 115_200, 921_600])
    func garbage(baud: Int) throws {
        var bench = try ReceiverBench(.ublox8)
        bench.baud = baud
        bench.run(seconds: 5)
        #expect(bench.sentences.isEmpty && bench.frames.isEmpty && !bench.bytes.isEmpty)
        let sent = bench.chunks.reduce(0) { $0 + $1.bytes.count }
        let ratio = Double(bench.bytes.count) / Double(sent)
        let most = baud < 9_600 ? 0.6 : 5.0
        #expect(ratio > 0.3 && ratio <= most, "\(ratio) bytes for each")
        let commands = bench.receiver.commandCount
        for _ in 0..<20 { bench.send(0x0A04) }
        bench.run(seconds: 2)
        #expect(bench.receiver.commandCount == commands)
    }

    @Test("Rates within two per cent understand each other, and the garbage of a rate is always the same")
    func sampling() {
        let bytes = Array("$GNRMC,120000.00,V,,,,,,,,,,N*61\r\n".utf8) + [0, 0xFF, 0xB5, 0x62]
        #expect(LineGarble.read(bytes, sentAt: 9_600, readAt: 9_650) == bytes)
        #expect(LineGarble.read(bytes, sentAt: 115_200, readAt: 117_000) == bytes)
        let garbage = LineGarble.read(bytes, sentAt: 9_600, readAt: 4_800)
        #expect(garbage != bytes && garbage == LineGarble.read(bytes, sentAt: 9_600, readAt: 4_800))
        #expect(LineGarble.read([], sentAt: 9_600, readAt: 4_800).isEmpty)
    }

    @Test("What is not stored is lost with the power; what is stored is kept", arguments: [false, true])
    func storage(isSaved: Bool) throws {
        var bench = try ReceiverBench(.ublox8)
        bench.send(0x0601, [0x01, 0x07, 1])
        bench.send(0x0600, portCommand(baud: 57_600))
        bench.run(seconds: 1)
        if isSaved { bench.send(0x0609, storeCommand(save: 0xFFFF, devices: 2)) }
        bench.run(seconds: 1)
        bench.setPower(false)
        bench.run(seconds: 60)
        bench.forget()
        bench.setPower(true)
        bench.run(seconds: 5)
        #expect(bench.receiver.baud == (isSaved ? 57_600 : 9_600))
        #expect(bench.frames(0x0107).isEmpty != isSaved)
        #expect(bench.text.contains("u-blox AG"))
    }

    @Test("The battery-backed copy survives a cut but not a loss of the battery; clearing brings the factory back")
    func backup() throws {
        let save = storeCommand(save: 0xFFFF, devices: 1)
        for (fault, isKept) in [("10 power-cut for 30", true), ("10 power-lost for 30", false)] {
            var bench = try ReceiverBench(.ublox8, faults: fault)
            bench.send(0x0600, portCommand(baud: 38_400))
            bench.run(seconds: 1)
            bench.send(0x0609, save)
            bench.run(seconds: 11)
            bench.forget()
            bench.run(seconds: 20)
            #expect(bench.bytes.isEmpty)
            bench.run(seconds: 13)
            #expect(bench.receiver.baud == (isKept ? 38_400 : 9_600))
            // A battery that was lost took the time with it.
            #expect(bench.sentences("RMC").last?[1].isEmpty != isKept)
        }
        var bench = try ReceiverBench(.ublox8)
        bench.send(0x0600, portCommand(baud: 38_400))
        bench.run(seconds: 1)
        bench.send(0x0609, save)
        bench.send(0x0609, storeCommand(clear: 0xFFFF, load: 0xFFFF, devices: 3))
        bench.run(seconds: 2)
        #expect(bench.receiver.baud == 9_600)
    }

    @Test("VALSET writes its layers only, VALGET reads them, and all of a set is taken or none")
    func layers() throws {
        var bench = try ReceiverBench(.ublox10)
        bench.send(0x068A, valueCommand(4, 0x3021_0001, 500, 2))
        bench.send(0x068B, joined([0, 0, 0, 0], little(0x3021_0001, 4)))
        bench.send(0x068B, joined([0, 2, 0, 0], little(0x3021_0001, 4)))
        bench.send(0x068A, joined(valueCommand(1, 0x2091_0007, 1, 1), little(0x2099_0001, 4), [1]))
        bench.run(seconds: 0.9)
        #expect(bench.frames(0x068B).map { $0.u2(8) } == [1_000, 500])
        #expect(bench.receiver.configuration.rate(of: .navPVT) == 0)
        bench.send(0x0604, [0, 0, 0, 0])
        bench.run(seconds: 3)
        #expect(bench.receiver.configuration.periodMillis == 500)
    }

    @Test("CFG-RST of the navigation alone keeps the configuration, of the chip loads the stored one")
    func resets() throws {
        var bench = try ReceiverBench(.ublox8)
        bench.send(0x0601, [0x01, 0x07, 1])
        bench.send(0x0604, [0xFF, 0xFF, 2, 0])
        bench.run(seconds: 3)
        #expect(bench.receiver.configuration.rate(of: .navPVT) == 1)
        #expect(bench.frames(0x0107).last?.u1(20) == 0)
        bench.send(0x0604, [0, 0, 1, 0])
        bench.run(seconds: 3)
        #expect(bench.receiver.configuration.rate(of: .navPVT) == 0)
        bench.send(0x0604, [0, 0, 8, 0])
        bench.run(seconds: 1.5)
        bench.forget()
        bench.run(seconds: 3)
        #expect(bench.sentences.isEmpty)
        bench.send(0x0604, [0, 0, 9, 0])
        bench.run(seconds: 3)
        #expect(!bench.sentences.isEmpty)
    }

    @Test("A sleeping receiver is silent, loses the byte that wakes it, and starts hot")
    func sleep() throws {
        var ublox = try ReceiverBench(.ublox8)
        ublox.run(seconds: 3)
        ublox.send(0x0241, joined(little(20_000, 4), little(2, 4)))
        ublox.run(seconds: 2)
        ublox.forget()
        ublox.run(seconds: 15)
        #expect(ublox.bytes.isEmpty)
        ublox.run(seconds: 10)
        #expect(ublox.sentences("RMC").last?[2] == "A")
        var mtk = try ReceiverBench(.mtk)
        mtk.run(seconds: 3)
        mtk.send(sentence: "PMTK161,0")
        mtk.run(seconds: 2)
        mtk.forget()
        mtk.run(seconds: 3_600)
        #expect(mtk.bytes.isEmpty)
        mtk.send([0])
        mtk.run(seconds: 4)
        #expect(mtk.sentences("RMC").last?[2] == "A")
    }
}
