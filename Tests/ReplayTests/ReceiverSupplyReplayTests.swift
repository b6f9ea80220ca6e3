import DeviceSimulator
import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("A receiver that rests without supply, or in a standby, in simulated time")
struct ReceiverSupplyReplayTests {
    private static func wired(_ config: inout TrackerConfig) {
        config.powerControl = .gpio
        config.receiverPowerLine = "GPIO5"
    }

    private func energyMillijoules(_ bench: LiveBench) throws -> Int64 {
        let answer = try JSONReader.parse(try #require(bench.ask("power").lines.first))
        return try #require(answer["result"]?["today"]?["receiverMj"]?.intValue, "\(answer.text)")
    }

    @Test(
        "Six hours at rest on a switched supply: hot with a backup supply, cold without; found and set up each time",
        arguments: [(SimulatedFamily.ublox8, true), (.ublox10, false), (.mtk, true), (.quectel, false)])
    func day(family: SimulatedFamily, hasBackup: Bool) throws {
        let bench = try LiveBench(
            family: family, motion: "still 90000", hasBackupSupply: hasBackup, change: Self.wired)
        try bench.runtime.start()
        bench.run(600)
        #expect(bench.power("state") == "off" && bench.power("rest") == "off" && !bench.stream.receiver.isPowered)
        bench.run(21_000)
        #expect(bench.points.count == 1)
        #expect(bench.errors.isEmpty && bench.diagnostics.isEmpty, "\(bench.errors) \(bench.diagnostics)")
        let awake = Double(bench.stream.awakeMillis) / 21_600_000
        print("six hours at rest, \(family.rawValue) on a line, backup supply \(hasBackup): awake \(awake)")
        // A look with a cold start takes 30 s of 900.
        #expect(hasBackup ? awake < 0.02 : (0.03..<0.06).contains(awake), "\(awake)")
        #expect((bench.power("firstFixSec.hot") != nil) == hasBackup)
        // The supply was given back 2 s after it went at the earliest.
        let edges = bench.lines.line("GPIO5")?.history ?? []
        #expect(edges.count > 40 && edges.allSatisfy { $0.at > .zero })
        let dark = zip(edges, edges.dropFirst()).filter { !$0.0.isActive && $0.1.isActive }
            .map { $0.1.at.millis(since: $0.0.at) }
        #expect(dark.allSatisfy { $0 >= 2_000 }, "\(dark.min() ?? 0)")
    }

    @Test("Off costs nothing, a standby 2 mW: the ledger knows which it was")
    func energy() throws {
        var used: [Int64] = []
        for (family, isWired) in [(SimulatedFamily.ublox8, false), (.ublox8, true), (.quectel, false)] {
            let bench = try LiveBench(family: family, motion: "still 90000") { if isWired { Self.wired(&$0) } }
            try bench.runtime.start()
            bench.run(300)
            let before = try energyMillijoules(bench)
            bench.run(600)
            used.append(try energyMillijoules(bench) - before)
        }
        // 10 min of 45 µW, of nothing, of 2 mW.
        #expect(used == [27, 0, 1_200])
    }

    @Test("Wanted right after its supply went, the receiver waits until it is dark, and then starts")
    func atOnce() throws {
        let bench = try LiveBench(motion: "still 20000", change: Self.wired)
        try bench.runtime.start()
        while bench.stream.receiver.isPowered { bench.run(1) }
        bench.ask("gnss.reset", ["mode": "hot"])
        #expect(bench.power("state") == "starting" && !bench.stream.receiver.isPowered)
        bench.run(3)
        #expect(bench.stream.receiver.isPowered)
        bench.run(40)
        #expect(bench.power("state") == "off")
    }

    @Test("A line that cannot be had, or does not switch the receiver: it stays on, and status says so")
    func badLine() throws {
        let refused = try LiveBench(start: .hot, motion: "still 20000", change: Self.wired)
        refused.lines.refusal = LineFailure(cause: "no line is named 'GPIO5'", remedy: "see gpioinfo")
        try refused.runtime.start()
        refused.run(600)
        #expect(refused.power("why") == "restRefused" && refused.power("rest") == nil)
        #expect(refused.power("problem")?.stringValue?.contains("gnss.powerLine") == true)
        refused.lines.refusal = nil
        refused.run(3_700)
        #expect(refused.power("state") == "off" && refused.power("problem") == nil)
        let unwired = try LiveBench(start: .hot, motion: "still 20000") {
            $0.powerControl = .gpio
            $0.receiverPowerLine = "GPIO6"
        }
        try unwired.runtime.start()
        unwired.run(600)
        #expect(unwired.power("state") == "tracking" && unwired.power("why") == "restRefused")
        #expect(unwired.lines.line("GPIO6")?.isActive == true, "a receiver that is on has its supply")
        #expect(unwired.runtime.status()["receiver.state"] == "fix3D")
    }

    @Test("The boot gate and the rest share the line: held it is off, released it is started")
    func held() throws {
        let bench = try LiveBench(motion: "still 90000", change: Self.wired)
        try bench.runtime.start()
        bench.run(300)
        #expect(bench.power("state") == "off")
        bench.ask("power.set", ["tier": "shutdown", "forMs": 3_600_000])
        bench.run(1_800)
        #expect(!bench.stream.receiver.isPowered && bench.power("rest") == "off")
        bench.run(1_900)
        #expect(bench.power("starts") == 2)
        bench.run(60)
        #expect(bench.power("state") == "off" && bench.diagnostics.isEmpty)
        bench.runtime.stop()
        #expect(bench.stream.receiver.isPowered, "another program finds it talking")
    }

    @Test("In survival a receiver that sleeps by command is cut off where a line is wired, and starts again")
    func survival() throws {
        let bench = try LiveBench(family: .mtk, motion: "still 90000") { $0.receiverPowerLine = "GPIO5" }
        try bench.runtime.start()
        bench.run(300)
        #expect(bench.power("rest") == "standby" && bench.stream.receiver.isPowered)
        bench.ask("power.set", ["tier": "survival", "forMs": 43_200_000])
        bench.run(5)
        #expect(bench.power("rest") == "off" && !bench.stream.receiver.isPowered)
        bench.run(22_000)
        #expect(bench.power("starts") == 2 && bench.power("state") == "off" && bench.power("failures") == nil)
        bench.run(22_000)
        #expect(bench.power("rest") == "standby", "the override is over")
        #expect(bench.errors.isEmpty)
    }

    @Test("An Airoha module rests by PAIR003, hears on, and keeps what it was told; the start is noticed")
    func airoha() throws {
        let bench = try LiveBench(journey: "delivery", family: .quectel)
        let journey = try #require(Journey("delivery"))
        try bench.runtime.start()
        bench.run(Int64(journey.durationSeconds))
        #expect(bench.stream.receiver.sleeps >= 2)
        #expect(bench.errors.isEmpty && bench.diagnostics.isEmpty, "\(bench.errors) \(bench.diagnostics)")
        let truth = (0..<Int(journey.durationSeconds)).reduce(0.0) { $0 + journey.trueState(at: Double($1)).speedMps }
        let length = Double(bench.points.last?.odometerMM ?? 0) / 1_000
        print("delivery quectel: \(length) m of \(truth) m")
        #expect(abs(length / truth - 1) < 0.02, "\(length) of \(truth)")
        let still = try LiveBench(family: .quectel, motion: "still 90000")
        try still.runtime.start()
        still.run(21_600)
        let awake = Double(still.stream.awakeMillis) / 21_600_000
        print("six hours at rest, quectel: awake \(awake)")
        #expect(still.points.count == 1 && awake < 0.02 && still.diagnostics.isEmpty, "\(awake) \(still.diagnostics)")
    }

    @Test("A control for another family is told with the one that fits")
    func otherFamily() throws {
        let bench = try LiveBench(family: .quectel, start: .hot, motion: "still 20000") { $0.powerControl = .mtk }
        try bench.runtime.start()
        bench.run(600)
        #expect(bench.power("problem")?.stringValue?.contains("set it to pair") == true)
    }

    @Test("What was silent is started by its lines before it is called again")
    func hanging() throws {
        let bench = try LiveBench(faults: "600 never-wakes", motion: "still 20000") { $0.receiverPowerLine = "GPIO5" }
        try bench.runtime.start()
        bench.run(1_030)
        #expect(bench.power("state") == "failed" && bench.power("rest") == "backup")
        bench.run(400)
        #expect(bench.diagnostics.contains { $0.contains("receiver_restarted: its power was switched") })
        #expect(bench.power("state") == "off" && bench.errors.isEmpty, "\(bench.diagnostics)")
    }
}
