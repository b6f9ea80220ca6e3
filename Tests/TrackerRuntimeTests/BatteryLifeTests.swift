import DeviceSimulator
import Ports
import TestKit
import Testing
import TrackerEngine
import TrackerModel
import WireText

@testable import TrackerRuntime

/// A solar tracker over days: a battery that sags, a board that goes dark below 3.0 V and starts when there is enough,
/// and in it one runtime after another on the same store.
private final class SolarBoard {
    private static let cutMillivolts = 3_000.0
    private static let hostMilliwatts = 600.0
    private static let receiverMilliwatts = 90.0
    /// What a modem draws while it registers, for so long after it was switched on.
    private static let registeringMilliwatts = 1_600.0
    private static let registeringSeconds: Int64 = 60

    var battery: SimulatedBattery
    var chargerMilliwatts = 0.0
    /// Off by its own wish it starts only when a charger comes; cut off, as soon as it can.
    private var waitsForCharger = false
    let hasGauge: Bool
    let store = MemoryStore()
    private(set) var bench: RuntimeBench?
    private(set) var boots = 0
    private(set) var cuts = 0
    private(set) var second: Int64 = 0
    private var modemSince: Int64?
    var story: [String] = []
    private var east = 0.0

    init(percent: Double, hasGauge: Bool = true) {
        battery = SimulatedBattery(capacityMilliwattHours: 3_000, percent: percent)
        self.hasGauge = hasGauge
    }

    /// Lets seconds pass until something is so.
    @discardableResult
    func run(seconds: Int64, until isDone: () -> Bool = { false }) throws -> Bool {
        for _ in 0..<seconds {
            try tick()
            if isDone() { return true }
        }
        return false
    }

    private func tick() throws {
        second += 1
        battery.advance(
            to: Instant(millis: second * 1_000), loadMilliwatts: loadMilliwatts, chargerMilliwatts: chargerMilliwatts)
        guard let bench else { return try startIfPossible() }
        if battery.terminalMillivolts < Self.cutMillivolts {
            // Nothing is stopped in order.
            cuts += 1
            story.append("cut")
            self.bench = nil
            modemSince = nil
            return
        }
        read(bench)
        if bench.stream.handler != nil {
            bench.stream.deliver(bench.epoch(east: east, speedMps: 3.5))
            east += 3.5
        }
        bench.reactor.advance(byMillis: 1_000)
        let modemRuns = !bench.runtime.power.machine.holdsModem
        modemSince = modemRuns ? modemSince ?? second : nil
        if bench.hostPower.requests > 0 {
            bench.runtime.stop()
            story.append("off")
            waitsForCharger = true
            self.bench = nil
            modemSince = nil
        }
    }

    private var loadMilliwatts: Double {
        guard let bench else { return 0 }
        let registers = modemSince.map { second - $0 < Self.registeringSeconds } ?? false
        return Self.hostMilliwatts + (bench.stream.handler == nil ? 0 : Self.receiverMilliwatts)
            + (registers ? Self.registeringMilliwatts : 0)
    }

    private func startIfPossible() throws {
        guard !waitsForCharger || battery.isCharging, battery.terminalMillivolts > Self.cutMillivolts + 100 else {
            return
        }
        boots += 1
        waitsForCharger = false
        story.append("boot")
        let bench = RuntimeBench(
            store: store, bootID: "boot-\(boots)", origin: RuntimeBench.epoch.advanced(byMillis: second * 1_000))
        read(bench)
        self.bench = bench
        try bench.runtime.start()
        bench.runtime.onEvent = { [unowned self] event in
            switch event {
            case .error(.powerUnstable, let text): story.append(text)
            case .powerSaveChange(let isOn): story.append(isOn ? "saves" : "spends")
            default: break
            }
        }
    }

    private func read(_ bench: RuntimeBench) {
        guard hasGauge else { return }
        bench.battery.reading = BatteryReading(
            percent: max(1, Int(battery.percent)), isCharging: battery.isCharging,
            voltageMV: Int64(battery.terminalMillivolts))
    }
}

@Suite("A battery's life")
struct BatteryLifeTests {
    @Test("Discharged to 3 % it stops cleanly; when the sun returns it goes on by itself, in the same session")
    func night() throws {
        let board = SolarBoard(percent: 36)
        #expect(try board.run(seconds: 3 * 3_600) { board.bench == nil && board.boots > 0 })
        #expect(board.story == ["boot", "saves", "battery exhausted", "off"])
        #expect((1.0...3.0).contains(board.battery.percent), "\(board.battery.percent) %")
        let last = try #require(board.store.points.last)
        #expect(!board.store.queued.contains { $0.uuid == last.uuid }, "the newest point is with the server")
        let before = board.store.points.count
        #expect(before > 50)
        // The night: nothing draws, nothing starts.
        try board.run(seconds: 6 * 3_600)
        #expect(board.boots == 1)
        board.chargerMilliwatts = 2_000
        try board.run(seconds: 600)
        #expect(board.boots == 2 && board.cuts == 0)
        let bench = try #require(board.bench)
        #expect(bench.status["power.tier"]?.stringValue == "normal")
        #expect(bench.status["session.resumed"]?.boolValue == true)
        #expect(board.store.points.count > before + 10 && Set(board.store.points.map(\.sessionID)).count == 1)
        try board.run(seconds: 3_600)
        #expect(board.boots == 2 && board.battery.percent > 25)
        #expect(!board.store.queued.contains { $0.id <= last.id }, "and so are those that waited over the night")
        #expect(bench.status["power.gate"] == nil)
    }

    @Test("A flat battery at the start: the gate keeps the modem from cutting the board off, over and over (F-65)")
    func flat() throws {
        let board = SolarBoard(percent: 4.6)
        try board.run(seconds: 240)
        #expect(board.boots == 1 && board.cuts == 0)
        #expect(board.bench?.stream.opens == 0)
        board.chargerMilliwatts = 3_000
        try board.run(seconds: 600)
        #expect(board.boots == 1 && board.cuts == 0)
        #expect(board.bench?.status["receiver.state"]?.stringValue == "fix3D")
    }

    @Test("Without a gauge three cut boots are enough: the fourth waits 10 min, and the sun finds it alive (F-65)")
    func loop() throws {
        let board = SolarBoard(percent: 4.6, hasGauge: false)
        try board.run(seconds: 300)
        #expect(board.story == ["boot", "cut", "boot", "cut", "boot", "cut", "boot"])
        #expect(board.bench?.status["power.gate"]?.stringValue?.contains("3 boots were cut short") == true)
        #expect(board.bench?.stream.opens == 0)
        board.chargerMilliwatts = 3_000
        try board.run(seconds: 700)
        #expect(board.boots == 4 && board.cuts == 3)
        #expect(board.bench?.status["receiver.state"]?.stringValue == "fix3D")
        #expect(board.bench?.runtime.power.machine.holdsModem == false)
    }
}
