import Testing
import TrackerModel

@testable import DeviceSimulator

@Suite("Simulated receiver: sleep")
struct ReceiverSleepTests {
    /// UBX-RXM-PMREQ, short form: backup without end.
    private static let backup: [UInt8] = [0, 0, 0, 0, 2, 0, 0, 0]

    private static func asleep(_ family: SimulatedFamily = .ublox8, faults: String = "") throws -> ReceiverBench {
        var bench = try ReceiverBench(family, faults: faults)
        bench.run(seconds: 40)
        if family == .mtk { bench.send(sentence: "PMTK161,0") } else { bench.send(0x0241, backup) }
        bench.run(seconds: 1)
        bench.forget()
        return bench
    }

    private static func firstFixSeconds(_ bench: inout ReceiverBench) -> Double? {
        let start = bench.now
        for _ in 0..<60 {
            bench.run(seconds: 1)
            if bench.sentences("GGA").contains(where: { $0[6] == "1" }) { return bench.now.seconds(since: start) }
        }
        return nil
    }

    @Test(
        "How long it slept decides its start: hot for 2 h, warm for four days, then cold",
        arguments: [(3_600.0, 1.0...4.0), (10_000, 22...28), (350_000, 27...34)])
    func starts(slept: Double, fix: ClosedRange<Double>) throws {
        var bench = try Self.asleep()
        bench.run(seconds: slept)
        #expect(bench.bytes.isEmpty)
        bench.send([0xFF])
        let seconds = try #require(Self.firstFixSeconds(&bench))
        #expect(fix.contains(seconds), "\(seconds)")
    }

    @Test("Short looks do not renew the ephemeris: after 2 h of them one start takes as long as a warm one")
    func shortLooks() throws {
        var bench = try Self.asleep()
        var slow = 0
        for _ in 0..<10 {
            bench.run(seconds: 900)
            bench.send([0xFF])
            bench.forget()
            let seconds = try #require(Self.firstFixSeconds(&bench))
            if seconds > 20 { slow += 1 }
            bench.send(0x0241, Self.backup)
            bench.run(seconds: 1)
        }
        #expect(slow == 1)
    }

    @Test("A u-blox wakes with what it has stored, a MediaTek as it was", arguments: [SimulatedFamily.ublox8, .mtk])
    func settings(family: SimulatedFamily) throws {
        var bench = try ReceiverBench(family)
        bench.run(seconds: 5)
        if family == .mtk {
            bench.send(sentence: "PMTK314,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0")
            bench.send(sentence: "PMTK161,0")
        } else {
            bench.send(0x0601, [0xF0, 0x00, 0])
            bench.send(0x0241, Self.backup)
        }
        bench.run(seconds: 100)
        bench.send([0xFF])
        bench.forget()
        bench.run(seconds: 10)
        #expect(bench.sentences("GGA").isEmpty == (family == .mtk))
        #expect(!bench.sentences("RMC").isEmpty)
    }

    @Test("It may wake by itself, by its timer or never, and lose everything in its sleep")
    func faults() throws {
        var restless = try Self.asleep(faults: "100 wakes")
        restless.run(seconds: 70)
        #expect(!restless.bytes.isEmpty)
        var deaf = try Self.asleep(faults: "50 never-wakes for 100")
        deaf.run(seconds: 30)
        deaf.send([0xFF])
        deaf.run(seconds: 10)
        #expect(deaf.bytes.isEmpty)
        deaf.run(seconds: 80)
        deaf.send([0xFF])
        deaf.run(seconds: 10)
        #expect(!deaf.bytes.isEmpty)
        var timed = try ReceiverBench(.ublox10)
        timed.run(seconds: 5)
        timed.send(0x0241, [0, 0, 0, 0, 0x10, 0x27, 0, 0, 6, 0, 0, 0, 0x28, 0, 0, 0])
        timed.run(seconds: 9)
        timed.forget()
        timed.run(seconds: 5)
        #expect(!timed.bytes.isEmpty, "after its 10 s")
        var forgetful = try Self.asleep(.mtk, faults: "30 loses-config")
        forgetful.send([0xFF])
        let seconds = try #require(Self.firstFixSeconds(&forgetful))
        #expect(seconds > 25, "cold")
    }

    @Test("An Airoha module in standby answers and says no more; with PAIR002 it goes on as it was, at once")
    func standby() throws {
        var bench = try ReceiverBench(.quectel)
        bench.run(seconds: 40)
        bench.send(sentence: "PAIR062,0,0")
        for command in ["PAIR382,1", "PAIR003"] { bench.send(sentence: command) }
        bench.run(seconds: 1)
        bench.forget()
        bench.run(seconds: 100)
        #expect(bench.bytes.isEmpty && bench.receiver.isAsleep)
        bench.send(sentence: "PAIR051")
        bench.run(seconds: 1)
        #expect(bench.sentences("PAIR051").count == 1 && bench.receiver.isAsleep)
        bench.send(sentence: "PAIR002")
        bench.run(seconds: 5)
        #expect(bench.sentences("RMC").contains { $0[2] == "A" } && bench.sentences("GGA").isEmpty)
    }

    @Test("One whose processor may sleep does not hear in its standby; its supply starts it")
    func deafStandby() throws {
        var bench = try ReceiverBench(.quectel)
        bench.run(seconds: 5)
        bench.send(sentence: "PAIR003")
        bench.run(seconds: 1)
        bench.forget()
        for command in ["PAIR002", "PAIR004"] { bench.send(sentence: command) }
        bench.run(seconds: 10)
        #expect(bench.bytes.isEmpty)
        bench.setPower(false)
        bench.run(seconds: 3)
        bench.setPower(true)
        bench.run(seconds: 5)
        #expect(!bench.sentences("RMC").isEmpty)
    }
}
