import Ports
import SyncEngine
import TestKit
import Testing
import TrackerEngine
import TrackerModel
import WireText

@testable import TrackerRuntime

private final class AlertingGauge: BatterySource {
    let name = "gauge"
    let isRealDevice = false
    var percent = 31
    private(set) var reads = 0
    private(set) var percents: [Int] = []

    func read() -> BatteryReading {
        reads += 1
        return BatteryReading(percent: percent)
    }
    func alert(below percents: [Int]) { self.percents = percents }
}

@Suite("Lines of the board") struct LineRuntimeTests {
    private func bench(_ change: @escaping (inout TrackerConfig) -> Void) throws -> RuntimeBench {
        let bench = RuntimeBench(change: change)
        try bench.runtime.start()
        return bench
    }

    private func row(_ bench: RuntimeBench, _ key: String) -> JSONValue? {
        bench.status["lines"]?.arrayValue?.first { $0["key"]?.stringValue == key }
    }

    private func errors(_ bench: RuntimeBench) -> [String] {
        bench.events.compactMap { event in
            if case .error(.permissionDenied, let message) = event { message } else { nil }
        }
    }

    @Test("no line is taken that the configuration does not name") func none() throws {
        let bench = try bench { _ in }
        #expect(bench.lines.lines.isEmpty && bench.status["lines"] == nil)
    }

    @Test("a refused line is told once with its cause, tried again, and tracking goes on") func refused() throws {
        let bench = RuntimeBench { $0.buttonLine = "GPIO17" }
        bench.lines.refusal = LineFailure(cause: "no line is named 'GPIO17'", remedy: "near are GPIO1")
        try bench.runtime.start()
        bench.play(300, speedMps: 10)
        #expect(errors(bench) == ["device.buttonLine: no line is named 'GPIO17'; near are GPIO1"])
        #expect(row(bench, "device.buttonLine")?["state"] == "refused")
        #expect(row(bench, "device.buttonLine")?["problem"] == "no line is named 'GPIO17'; near are GPIO1")
        #expect(bench.status["session.points"]?.intValue ?? 0 > 0)
        bench.lines.refusal = nil
        bench.reactor.advance(byMillis: 140_000)
        #expect(row(bench, "device.buttonLine")?["state"] == "up")
        #expect(row(bench, "device.buttonLine")?["problem"] == nil)
    }

    @Test("a line that fails later is shown with its problem") func lost() throws {
        let bench = try bench { $0.buttonLine = "B" }
        bench.lines.line("B")?.failure = LineFailure(cause: "line B: No such device", remedy: "look")
        #expect(row(bench, "device.buttonLine")?["problem"] == "line B: No such device; look")
        let page = StatusPage.text(bench.status)
        #expect(page.contains("device.buttonLine, B, refused") && page.contains("No such device"))
    }

    // MARK: - Fuel gauge

    @Test("an alert of the gauge has the battery read at once; without a gauge the line is refused") func gauge() throws
    {
        let gauge = AlertingGauge()
        let bench = RuntimeBench(
            change: { $0.gaugeAlertLine = "GPIO27" },
            addPorts: {
                $0.battery = nil
                $0.gauge = gauge
            })
        try bench.runtime.start()
        bench.reactor.advance(byMillis: 10_000)
        #expect(gauge.percents == [30, 15, 5, 3, 16] && row(bench, "battery.alertLine")?["state"] == "quiet")
        let reads = gauge.reads
        gauge.percent = 29
        bench.lines.drive(true, line: "GPIO27 low")
        #expect(gauge.reads == reads + 1 && bench.status["power.percent"] == 29)
        #expect(row(bench, "battery.alertLine")?["state"] == "alert")

        let without = try self.bench { $0.gaugeAlertLine = "GPIO27 low" }
        #expect(row(without, "battery.alertLine")?["problem"]?.stringValue?.contains("no fuel gauge") == true)
    }

    // MARK: - Button

    @Test("a press asks for a fix, puts it into the track, and asks for an upload") func press() throws {
        let bench = try bench {
            $0.buttonLine = "B"
            // Nothing is sent but what the press asks for, and no fix is due before an hour is over.
            $0.sync.autoSync = false
            $0.capture.intervalMillis = 3_600_000
            $0.capture.vehicularIntervalMillis = 3_600_000
        }
        bench.play(120, speedMps: 0)
        let judged = bench.store.decisions.count
        #expect(judged > 0 && bench.uplink.requests.isEmpty)
        bench.lines.drive(true, line: "B")
        bench.reactor.advance(byMillis: 300)
        bench.lines.drive(false, line: "B")
        bench.play(40, speedMps: 0)
        #expect(bench.log.lines.contains { $0.contains("button.used") && $0.contains("press") })
        #expect(bench.store.decisions.count == judged + 1)
        #expect(bench.uplink.requests.count == 1)
    }

    @Test("a hold of 3 s stops the session, and the next one starts a new one") func hold() throws {
        let bench = try bench { $0.buttonLine = "B" }
        func hold() {
            bench.lines.drive(true, line: "B")
            bench.reactor.advance(byMillis: 3_100)
            bench.lines.drive(false, line: "B")
            bench.reactor.advance(byMillis: 100)
        }
        #expect(bench.status["session"] != nil)
        hold()
        #expect(bench.status["session"] == nil)
        hold()
        #expect(bench.status["session"] != nil && bench.store.sessions.count == 2)
    }

    // MARK: - Light

    @Test(
        "the light tells that there is no fix, then that there is, then goes dark at rest, ten minutes after the start")
    func light() throws {
        let bench = try bench { $0.lightLine = "L" }
        bench.stream.deliver(bench.epoch(east: 0, speedMps: 0, valid: false))
        bench.play(60, speedMps: 10)
        #expect(["fix", "uploading"].contains(row(bench, "device.ledLine")?["state"]?.stringValue))
        let light = try #require(bench.lines.line("L"))
        #expect(light.history.count >= 8)
        _ = bench.runtime.changePace(isMoving: false)
        bench.reactor.advance(byMillis: 620_000)
        let before = light.history.count
        #expect(row(bench, "device.ledLine")?["state"] == "dark" && !light.isActive)
        bench.reactor.advance(byMillis: 3_600_000)
        #expect(light.history.count == before)
    }

    @Test("at rest a press shows the state for a minute, and an external supply for ever") func lightAtRest() throws {
        let bench = try bench {
            $0.lightLine = "L"
            $0.buttonLine = "B"
        }
        bench.play(5, speedMps: 0)
        _ = bench.runtime.changePace(isMoving: false)
        bench.reactor.advance(byMillis: 620_000)
        let light = try #require(bench.lines.line("L"))
        let dark = light.history.count
        bench.lines.drive(true, line: "B")
        bench.reactor.advance(byMillis: 200)
        bench.lines.drive(false, line: "B")
        bench.reactor.advance(byMillis: 30_000)
        #expect(light.history.count > dark)
        bench.reactor.advance(byMillis: 60_000)
        let darkAgain = light.history.count
        bench.reactor.advance(byMillis: 600_000)
        #expect(light.history.count == darkAgain)
        bench.battery.reading.supply = .ac
        bench.reactor.advance(byMillis: 300_000)
        #expect(light.history.count > darkAgain)
    }

    @Test("the light goes out with the daemon") func lightOut() throws {
        let bench = try bench { $0.lightLine = "L" }
        bench.play(1, speedMps: 10)
        bench.runtime.stop()
        let light = try #require(bench.lines.line("L"))
        #expect(!light.isActive && light.isClosed)
    }

    // MARK: - Ignition

    @Test("ignition on is movement and an external supply") func ignitionOn() throws {
        let bench = try bench { $0.ignitionLine = "I" }
        bench.play(5, speedMps: 0)
        _ = bench.runtime.changePace(isMoving: false)
        #expect(bench.status["motion.state"] == "stationary")
        bench.lines.drive(true, line: "I")
        bench.reactor.advance(byMillis: 700)
        #expect(bench.status["motion.state"] == "moving")
        #expect(bench.status["power.powerSource"] == "ac")
        #expect(row(bench, "device.ignitionLine")?["state"] == "on")
    }

    @Test("a starter that pulls the line down for a moment is no end of the drive") func cranking() throws {
        let bench = RuntimeBench { $0.ignitionLine = "I" }
        bench.lines.active = ["I"]
        try bench.runtime.start()
        bench.lines.drive(false, line: "I")
        bench.reactor.advance(byMillis: 400)
        bench.lines.drive(true, line: "I")
        bench.reactor.advance(byMillis: 5_000)
        #expect(row(bench, "device.ignitionLine")?["state"] == "on")
        #expect(try bench.store.state(.run)?.hasSuffix("running") == true)
    }

    @Test(
        "E-136: within 2 s of ignition off all is stored and the end noted, so that the power cut that follows is none")
    func ignitionOff() throws {
        let bench = RuntimeBench { $0.ignitionLine = "I" }
        bench.lines.active = ["I"]
        try bench.runtime.start()
        bench.play(60, speedMps: 10)
        bench.lines.drive(false, line: "I")
        bench.reactor.advance(byMillis: 2_000)
        #expect(try bench.store.state(.run)?.hasSuffix("ended") == true)
        let next = RuntimeBench(store: bench.store, bootID: "boot-2")
        try next.runtime.start()
        let causes = next.events.compactMap { event in
            if case .sessionInterrupted(_, let cause) = event { cause } else { nil }
        }
        #expect(causes == [.reboot])
    }

    // MARK: - Receiver

    @Test("a dead receiver loses its power for 2 s where that is wired, and its reset line is left alone") func power()
        throws
    {
        let bench = try bench {
            $0.receiverPowerLine = "P"
            $0.receiverResetLine = "R"
        }
        let power = try #require(bench.lines.line("P"))
        #expect(power.isActive)
        bench.reactor.advance(byMillis: 3 * 3_600_000)
        #expect(power.history.map(\.isActive).prefix(2) == [false, true])
        #expect(power.history[1].at.millis(since: power.history[0].at) >= 2_000)
        #expect(bench.lines.line("R")?.history.isEmpty == true)
        let dead = bench.events.contains { event in
            if case .error(.trackerDead, let message) = event { message.contains("power was switched") } else { false }
        }
        #expect(dead)
    }

    @Test("without a power line the reset line is pulled") func reset() throws {
        let bench = try bench { $0.receiverResetLine = "R" }
        bench.reactor.advance(byMillis: 3 * 3_600_000)
        let reset = try #require(bench.lines.line("R"))
        #expect(reset.history.map(\.isActive).prefix(2) == [true, false])
        bench.runtime.stop()
        #expect(reset.isClosed && !reset.isActive)
    }

    @Test("on a battery that does not carry a start the receiver has no power until it charges") func gate() throws {
        let bench = RuntimeBench { $0.receiverPowerLine = "P" }
        bench.battery.reading = BatteryReading(percent: 3, isCharging: false)
        try bench.runtime.start()
        let power = try #require(bench.lines.line("P"))
        #expect(!power.isActive)
        bench.reactor.advance(byMillis: 3_600_000)
        #expect(bench.runtime.powerReport["today.receiverMj"]?.intValue == 0, "nothing feeds it")
        bench.battery.reading = BatteryReading(percent: 4, isCharging: true)
        bench.reactor.advance(byMillis: 600_000)
        #expect(power.isActive)
    }

    // MARK: - Accelerometer

    @Test("an interrupt line without an accelerometer is refused") func wakeLine() throws {
        let bench = try bench { $0.wakeLine = "W" }
        #expect(row(bench, "accel.intLine")?["problem"]?.stringValue?.contains("set accel.bus") == true)
        #expect(bench.lines.lines.isEmpty)
    }
}
