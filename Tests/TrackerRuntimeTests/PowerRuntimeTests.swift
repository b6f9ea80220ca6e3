import Ports
import SyncEngine
import TestKit
import Testing
import TrackerEngine
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Battery in the runtime")
struct PowerRuntimeTests {
    private func started(
        _ percent: Int?, charging: Bool? = false, store: MemoryStore = MemoryStore(), bootID: String = "boot-1",
        answers: [UplinkResult?] = [.ok], change: (inout TrackerConfig) -> Void = { _ in }
    ) throws -> RuntimeBench {
        let bench = RuntimeBench(store: store, bootID: bootID, answers: answers, change: change)
        bench.battery.reading = BatteryReading(percent: percent, isCharging: charging)
        try bench.runtime.start()
        return bench
    }

    private func pass(_ bench: RuntimeBench, minutes: Int64) { bench.reactor.advance(byMillis: minutes * 60_000) }

    private func ask(_ bench: RuntimeBench, _ op: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        let line: JSONValue = ["id": 1, "op": .string(op), "args": .object(arguments)]
        return try #require(try bench.answer(line.bytes, user: 1_000))
    }

    private func errors(_ bench: RuntimeBench) -> [String] {
        bench.events.compactMap { if case .error(.powerUnstable, let text) = $0 { text } else { nil } }
    }

    @Test("batteryChange only when the whole value is another; powerSaveChange once on the way down")
    func events() throws {
        let bench = try started(50)
        bench.battery.reading.voltageMV = 3_700
        pass(bench, minutes: 5)
        for percent in [28, 12] {
            bench.battery.reading.percent = percent
            pass(bench, minutes: 8)
        }
        let changes = bench.events.filter { if case .batteryChange = $0 { true } else { false } }
        #expect(changes.count == 3)
        #expect(bench.events.filter { $0 == .powerSaveChange(true) }.count == 1)
        #expect(bench.status["power.tier"]?.stringValue == "critical")
        #expect(bench.status["power.isLow"]?.boolValue == true)
    }

    @Test("The lower the tier, the less is written beside the points; what is judged is told all the same")
    func layers() throws {
        for (tier, raw, decisions) in [("normal", true, true), ("saver", false, true), ("critical", false, false)] {
            let bench = try started(80) {
                $0.layers.keepsRawFixes = true
                $0.layers.keepsRawPoints = true
            }
            #expect(try ask(bench, "power.set", ["tier": .string(tier)])["ok"]?.boolValue == true)
            bench.play(400, speedMps: 14)
            #expect(!bench.store.points.isEmpty)
            #expect(bench.store.rawFixes.isEmpty != raw && bench.store.judgedPoints.isEmpty != raw, "\(tier)")
            #expect(bench.store.decisions.isEmpty != decisions, "\(tier)")
        }
    }

    @Test("power set is shown, ends by itself, and survives a restart with what is left of it")
    func override() throws {
        let bench = try started(80)
        let reply = try ask(bench, "power.set", ["tier": "saver", "forMs": 7_200_000])
        #expect(reply["result.override.remainingSec"]?.intValue == 7_200)
        #expect(bench.status["power.tier"]?.stringValue == "saver")
        #expect(bench.status["cadence.intervalMs"]?.intValue == 120_000)
        pass(bench, minutes: 60)
        bench.runtime.stop()
        let later = RuntimeBench(
            store: bench.store, bootID: "boot-2", origin: RuntimeBench.epoch.advanced(byMillis: 3_600_000))
        try later.runtime.start()
        #expect(later.status["power.override.remainingSec"]?.intValue == 3_600)
        pass(later, minutes: 61)
        #expect(later.status["power.override"] == nil && later.status["power.tier"]?.stringValue == "normal")
        later.runtime.stop()
        let last = RuntimeBench(store: bench.store, bootID: "boot-3")
        try last.runtime.start()
        #expect(last.status["power.override"] == nil)
    }

    @Test("A clock that is behind does not make it longer; auto takes it back; nonsense is refused")
    func overrideBounds() throws {
        let bench = try started(80)
        _ = try ask(bench, "power.set", ["tier": "critical", "forMs": 60_000])
        let behind = RuntimeBench(
            store: bench.store, bootID: "boot-2", origin: RuntimeBench.epoch.advanced(byMillis: -86_400_000))
        try behind.runtime.start()
        #expect(behind.status["power.override.remainingSec"]?.intValue == 60)
        #expect(try ask(behind, "power.set", ["tier": "auto"])["result.tier"]?.stringValue == "normal")
        for arguments in [[:], ["tier": "warp"], ["tier": "saver", "forMs": 1], ["tier": "saver", "forMs": "2h"]]
            as [JSONObject]
        {
            #expect(try ask(behind, "power.set", arguments)["code"]?.stringValue == "invalidRequest")
        }
    }

    @Test("Without a clock through the power cut an override counts the time that the tracker ran, battery or none")
    func overrideWithoutClock() throws {
        let store = MemoryStore()
        func boot(_ number: Int) throws -> RuntimeBench {
            // It begins at the same date each time, and no supply is watched.
            let bench = RuntimeBench(
                store: store, bootID: "boot-\(number)",
                addPorts: {
                    $0.battery = nil
                    $0.supplySense = nil
                })
            try bench.runtime.start()
            return bench
        }
        let first = try boot(1)
        _ = try ask(first, "power.set", ["tier": "saver", "forMs": 3_600_000])
        pass(first, minutes: 30)
        // The power is cut.
        let second = try boot(2)
        let left = try #require(second.status["power.override.remainingSec"]?.intValue)
        #expect((1_800...1_870).contains(left), "\(left)")
        pass(second, minutes: 20)
        second.runtime.stop()
        let third = try boot(3)
        #expect(third.status["power.override.remainingSec"]?.intValue == left - 1_200)
        pass(third, minutes: 11)
        #expect(try boot(4).status["power.override"] == nil)
    }

    @Test("What is left of an override is noted every 10 min; a board that watches nothing wakes no oftener for it")
    func overrideNotes() throws {
        func overridden(_ tier: String) throws -> RuntimeBench {
            let bench = RuntimeBench(addPorts: {
                $0.battery = nil
                $0.supplySense = nil
            })
            try bench.runtime.start()
            _ = try ask(bench, "power.set", ["tier": .string(tier), "forMs": 10_800_000])
            return bench
        }
        let noted = try overridden("saver")
        var notes: [String?] = [try noted.store.state(.power)]
        for _ in 0..<240 {
            pass(noted, minutes: 1)
            let note = try noted.store.state(.power)
            if note != notes.last { notes.append(note) }
        }
        #expect(notes.count == 1 + 17 + 1 && notes.last == "", "3 h, and its end")
        // The tier that is there anyway.
        let moments = try ["normal", "auto"].map { tier in
            let bench = try overridden(tier)
            let before = bench.reactor.moments
            pass(bench, minutes: 120)
            return bench.reactor.moments - before
        }
        #expect(moments[0] <= moments[1] + 12)
    }

    @Test("batteryInfo says what is known and leaves out what is not (E-230)")
    func info() throws {
        let bench = try started(nil, charging: nil)
        #expect(try ask(bench, "batteryInfo")["result"]?.text == #"{"powerSource":"unknown","isLow":false}"#)
        bench.battery.reading = BatteryReading(
            percent: 12, isCharging: false, supply: .none, voltageMV: 3_500, currentMA: -180)
        pass(bench, minutes: 2)
        let text = PowerPage.text(battery: try ask(bench, "batteryInfo")["result"] ?? .null)
        #expect(text == "12 %, low, discharging, 3.500 V, -180 mA, no supply connected\n")
    }

    /// With points in the queue and a battery that has just been found exhausted.
    private func ending(
        answers: [UplinkResult?], change: (inout TrackerConfig) -> Void = { _ in }
    ) throws -> RuntimeBench {
        let bench = try started(50, answers: answers, change: change)
        bench.play(150, speedMps: 14)
        bench.battery.reading.percent = 31
        pass(bench, minutes: 2)
        bench.battery.reading.percent = 12
        pass(bench, minutes: 4)
        bench.battery.reading.percent = 2
        #expect(bench.hostPower.requests == 0)
        var seconds = 0
        while errors(bench).isEmpty, seconds < 600 {
            bench.reactor.advance(byMillis: 1_000)
            seconds += 1
        }
        return bench
    }

    @Test("At the end: everything saved, one upload, then off; the session stays open")
    func exhausted() throws {
        let bench = try ending(answers: [.ok])
        pass(bench, minutes: 1)
        #expect(errors(bench) == ["battery exhausted"])
        #expect(bench.hostPower.requests == 1)
        #expect(bench.store.queued.isEmpty, "the last upload took what there was")
        #expect(bench.status["receiver.state"]?.stringValue == "off")
        bench.runtime.stop()
        #expect(bench.store.sessions.count == 1 && bench.store.sessions[0].endedAt == nil)
        #expect(try bench.store.state(.run) == "boot-1 test ended")
        #expect(try bench.store.state(.energy)?.isEmpty == false)
    }

    @Test("The last upload begins with the newest point, whatever waits before it")
    func newest() throws {
        let bench = try ending(answers: [.ok]) {
            $0.sync.autoSync = false
            $0.sync.batchSize = 5
        }
        #expect(bench.store.queued.count > 5)
        bench.reactor.advance(byMillis: 1_000)
        let first = try #require(bench.uplink.requests.first)
        #expect(SyncScene.uuids(first.body) == bench.store.points.suffix(1).map(\.uuid))
        #expect(bench.store.queued.isEmpty)
    }

    @Test("A server that does not answer has a minute; then it is off all the same")
    func mute() throws {
        let bench = try ending(answers: [nil])
        bench.reactor.advance(byMillis: 58_000)
        #expect(bench.hostPower.requests == 0)
        bench.reactor.advance(byMillis: 3_000)
        #expect(bench.hostPower.requests == 1)
    }

    @Test("A charger within that minute keeps it on")
    func saved() throws {
        let bench = try ending(answers: [nil])
        bench.battery.reading.isCharging = true
        pass(bench, minutes: 3)
        #expect(bench.status["power.tier"]?.stringValue == "normal")
        #expect(bench.status["receiver.state"]?.stringValue != "off")
        #expect(bench.status["power.ending"] == nil && bench.hostPower.requests == 0)
    }

    @Test("A host that does not go off is told again, and status says why")
    func refused() throws {
        let bench = try started(50)
        bench.hostPower.refusal = "systemctl ended with 1; allow it"
        bench.battery.reading = BatteryReading(percent: 2, isCharging: true)
        pass(bench, minutes: 2)
        bench.battery.reading.isCharging = false
        pass(bench, minutes: 5)
        #expect(bench.hostPower.requests == 1)
        #expect(bench.status["power.problem"]?.stringValue == "systemctl ended with 1; allow it")
        pass(bench, minutes: 11)
        #expect(bench.hostPower.requests == 2)
    }

    @Test("A host that takes the request and goes on is told again every 10 min, and status says so")
    func takenInVain() throws {
        let bench = try ending(answers: [.ok])
        pass(bench, minutes: 1)
        #expect(bench.hostPower.requests == 1 && bench.status["power.problem"] == nil)
        pass(bench, minutes: 11)
        #expect(bench.hostPower.requests == 2)
        #expect(bench.status["power.problem"]?.stringValue?.contains("still runs") == true)
        bench.battery.reading.isCharging = true
        pass(bench, minutes: 30)
        #expect(bench.hostPower.requests == 2 && bench.status["power.problem"] == nil)
    }

    @Test("With shutdownPercent 0 nothing ever switches the host off")
    func never() throws {
        let bench = try started(50) { $0.power.shutdownPercent = 0 }
        bench.battery.reading = BatteryReading(percent: 1, isCharging: true)
        pass(bench, minutes: 2)
        bench.battery.reading.isCharging = false
        pass(bench, minutes: 30)
        #expect(bench.status["power.tier"]?.stringValue == "survival")
        #expect(bench.hostPower.requests == 0)
    }

    @Test("An under-voltage is an error once, and saves when it lasts (E-125)")
    func sag() throws {
        let bench = try started(80)
        bench.supplySense.reading = true
        pass(bench, minutes: 4)
        #expect(errors(bench).count == 1)
        #expect(bench.status["power.tier"]?.stringValue == "saver")
        #expect(bench.status["power.underVoltage"]?.boolValue == true)
    }

    @Test("A flat start opens neither receiver nor link until it charges, and says so (F-65)")
    func gate() throws {
        let store = MemoryStore()
        try SyncScene.commit(-1, to: store)
        let bench = try started(4, store: store)
        bench.reactor.advance(byMillis: 60_000)
        #expect(bench.stream.opens == 0 && bench.uplink.requests.isEmpty)
        #expect(bench.status["power.gate"]?.stringValue?.hasPrefix("battery at 4 %") == true)
        #expect(StatusPage.text(bench.status).contains("boot gate    battery at 4 %"))
        #expect(bench.status["session.id"] != nil, "the session is open and waits")
        for (operation, arguments) in [("getCurrentLocation", JSONObject()), ("gnss.reset", ["mode": "cold"])] {
            let answer = try ask(bench, operation, arguments)["message"]?.stringValue
            #expect(answer?.contains("held: battery at 4 %") == true, "\(answer ?? "later")")
        }
        var answer: OperationAnswer?
        bench.runtime.uploader?.test { answer = $0 }
        if case .refused(.notReady, let text) = answer {
            #expect(text.hasPrefix("battery at 4 %"))
        } else {
            Issue.record("sync test uses the radio")
        }
        for _ in 0..<24 { bench.reactor.advance(byMillis: 3_600_000) }
        #expect(bench.uplink.requests.isEmpty)
        #expect(try #require(bench.runtime.uploader).inputs.count < 6, "a day is not kept event by event")
        bench.battery.reading.isCharging = true
        bench.reactor.advance(byMillis: 66_000)
        #expect(bench.stream.opens > 0 && bench.uplink.requests.isEmpty)
        bench.reactor.advance(byMillis: 60_000)
        #expect(!bench.uplink.requests.isEmpty)
        #expect(bench.status["power.gate"] == nil)
    }

    @Test("The ledger counts receiver, modem and host, keeps its days over a restart, and forecasts")
    func ledger() throws {
        let bench = try started(50) { $0.batteryMilliwattHours = 1_000 }
        bench.play(600, speedMps: 14)
        bench.load.wakeUps = 1_000
        bench.load.cpuMillis = 3_000
        bench.reactor.advance(byMillis: 3_000_000)
        let report = try ask(bench, "power")["result"] ?? .null
        #expect(report["today.hostBaseMj"]?.intValue == 2_160_000)
        #expect(report["today.hostWorkMj"]?.intValue == 1_700)
        #expect((600 * 87...3_600 * 96).contains(report["today.receiverMj"]?.intValue ?? 0))
        #expect((report["today.modemMj"]?.intValue ?? 0) > 3_600 * 115)
        #expect(report["wakeUpsPerHour"]?.intValue == 1_000)
        // 500 mWh at about 0.8 W.
        #expect((0.5...0.8).contains(report["forecastHours"]?.doubleValue ?? 0))
        #expect(PowerPage.text(power: report).contains("2026-05-04"))
        bench.runtime.stop()
        let again = RuntimeBench(store: bench.store, bootID: "boot-2")
        try again.runtime.start()
        again.reactor.advance(byMillis: 60_000)
        let after = try ask(again, "power")["result.today.hostBaseMj"]?.intValue
        #expect(after == 2_196_000)
    }
}
