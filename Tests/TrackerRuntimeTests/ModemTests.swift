import DeviceSimulator
import Ports
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

/// A modem as the way out (spec power §5 and §6).
struct ModemTests {
    private func faulty(_ faults: Set<SimulatedModem.Fault>, cure: SimulatedModem.Cure = .never)
        -> SimulatedModem.Options
    {
        var options = SimulatedModem.Options()
        options.faults = faults
        options.cure = cure
        return options
    }

    @Test("A modem that the host keeps on is watched: state, signal and network are in status")
    func watched() throws {
        let scene = try ModemScene(isManaged: false)
        scene.pass(seconds: 4)
        #expect(scene.status["state"] == "noService")
        scene.pass(seconds: 4)
        #expect(scene.status["state"] == "registering")
        scene.pass(seconds: 300)
        #expect(scene.status["state"] == "up")
        #expect(scene.status["quality"]?.intValue == 58)
        #expect(scene.status["modem.network"] == "Simulated")
        #expect(scene.status["modem.sim"] == "ready")
        #expect(StatusPage.text(scene.bench.status).contains("  modem        up, for "))
        #expect(StatusPage.link(scene.status).contains("\nmodem up, for "))
    }

    @Test("A modem that is switched is off until a row is old enough, uploads, and is off again 10 s later")
    func switched() throws {
        let scene = try ModemScene()
        scene.pass(seconds: 30)
        #expect(scene.power.orders == ["off"], "an earlier run may have left it on")
        try SyncScene.commit(0, to: scene.bench.store)
        // Standing, so that it may wait for an hour; the health loop looks every two minutes.
        scene.pass(seconds: 3_500)
        #expect(scene.power.orders == ["off"] && scene.sent == 0)
        scene.pass(seconds: 300)
        #expect(scene.sent == 1)
        #expect(scene.power.orders == ["off", "on", "off"])
        #expect(scene.status["modem.stage"] == "off")
        scene.pass(seconds: 7_200)
        #expect(scene.power.orders.count == 3)
    }

    @Test("sync now powers the modem and says so, and the points go when it is up")
    func demanded() throws {
        let scene = try ModemScene()
        try SyncScene.commit(0, to: scene.bench.store)
        let request = ControlRequest(
            peer: ControlPeer(userID: 0), line: Array(#"{"id":1,"op":"sync.now"}"#.utf8),
            subscriber: RecordingSubscriber())
        let reply = try JSONReader.parse(try #require(ControlProtocol(runtime: scene.bench.runtime).reply(to: request)))
        #expect(
            SyncPage.outcome(reply["result"] ?? .null)
                == "not uploaded: offline; the modem is being powered; what waits is sent when it is up\n")
        #expect(scene.power.orders == ["off", "on"])
        scene.pass(seconds: 60)
        #expect(scene.sent == 1)
        #expect(scene.power.orders == ["off", "on", "off"])
    }

    @Test("sync test powers a modem that is off, waits for its route, and keeps it until the answer has come")
    func tested() throws {
        let scene = try ModemScene()
        let uploader = try #require(scene.bench.runtime.uploader)
        scene.bench.uplink.answerMillis = { _ in 30_000 }
        var answers: [OperationAnswer] = []
        uploader.test { answers.append($0) }
        #expect(scene.power.orders == ["off", "on"] && scene.bench.uplink.requests.isEmpty)
        uploader.test { answers.append($0) }
        if case .refused(.conflict, _) = answers.first {} else { Issue.record("a second test is not refused") }
        scene.pass(seconds: 45)
        #expect(scene.bench.uplink.requests.count == 1 && answers.count == 2)
        #expect(scene.power.orders == ["off", "on"])
        #expect(steps(answers.last)?["ok"] == true)
        scene.pass(seconds: 12)
        #expect(scene.power.orders == ["off", "on", "off"])
    }

    @Test("sync test tells what the modem lacks when it does not come up")
    func testedInVain() throws {
        let scene = try ModemScene(faulty([.noCoverage]))
        var answers: [OperationAnswer] = []
        scene.bench.uplink.script = [.failed(.name)]
        scene.bench.runtime.uploader?.test { answers.append($0) }
        scene.pass(seconds: 202)
        #expect(steps(answers.first)?["steps"]?.arrayValue?.first?["verdict"] == "failed")
        scene.pass(seconds: 12)
        #expect(scene.power.orders.last == "off")
    }

    @Test(
        "sync test that waits for a modem is answered at once when the battery forbids it, and at a stop",
        arguments: [true, false])
    func testEnded(isHeld: Bool) throws {
        let scene = try ModemScene(faulty([.noCoverage]))
        let uploader = try #require(scene.bench.runtime.uploader)
        var answers: [OperationAnswer] = []
        uploader.test { answers.append($0) }
        scene.pass(seconds: 20)
        if isHeld { uploader.hold = "battery at 4 %" } else { uploader.stop() }
        guard case .refused(.notReady, let why) = answers.first else { Issue.record("nobody tells"); return }
        #expect(answers.count == 1 && (!isHeld || why == "battery at 4 %"))
        scene.pass(seconds: 300)
        #expect(answers.count == 1)
    }

    private func steps(_ answer: OperationAnswer?) -> JSONValue? {
        if case .done(let steps) = answer { steps } else { nil }
    }

    @Test("A modem that was powered is switched off with the daemon; one that is off or kept by the host is left alone")
    func stopped() throws {
        let scene = try ModemScene()
        scene.bench.runtime.uploader?.test { _ in }
        #expect(scene.power.orders == ["off", "on"])
        scene.bench.runtime.stop()
        #expect(scene.power.orders == ["off", "on", "off"])
        let off = try ModemScene()
        off.bench.runtime.stop()
        #expect(off.power.orders == ["off"])
    }

    @Test(
        "What is wrong with the modem is in status with what to do",
        arguments: [
            (SimulatedModem.Fault.simAbsent, "simAbsent"), (.simLocked, "simLocked"), (.denied, "denied"),
            (.noCoverage, "notRegistered"), (.hang, "silent"),
        ])
    func faults(fault: SimulatedModem.Fault, name: String) throws {
        let scene = try ModemScene(faulty([fault]), isManaged: false)
        scene.pass(seconds: 150)
        #expect(scene.status["modem.fault"]?.stringValue == name)
        #expect(scene.status["modem.remedy"]?.stringValue?.isEmpty == false)
        #expect(scene.status["state"] == "noService" || scene.status["state"] == "registering")
        #expect(StatusPage.text(scene.bench.status).contains(name))
    }

    @Test("F-68: a bearer that is gone is mended by rungs, logged, and the points wait meanwhile")
    func mended() throws {
        let scene = try ModemScene(isManaged: false)
        scene.pass(seconds: 60)
        scene.modem.options.faults = [.bearerLost]
        scene.modem.options.cure = .reset
        try SyncScene.commit(0, to: scene.bench.store)
        scene.pass(seconds: 300)
        #expect(scene.sent == 0)
        #expect(scene.bench.log.lines.contains { $0.hasPrefix("modem.reconnect ") })
        scene.pass(seconds: 4_000)
        #expect(scene.bench.log.lines.contains { $0.hasPrefix("modem.reset ") })
        #expect(scene.sent == 1)
        #expect(scene.status["modem.fault"] == nil)
    }

    @Test("The day's limit of power cycles holds over a restart of the daemon")
    func limitOverRestart() throws {
        let store = MemoryStore()
        let scene = try ModemScene(faulty([.bearerLost]), store: store)
        try SyncScene.commit(-600, to: store)
        scene.pass(seconds: 12_000)
        let cycles = scene.power.orders.filter { $0 == "cycle" }.count
        #expect(cycles > 2)
        scene.bench.runtime.stop()
        let next = try ModemScene(faulty([.bearerLost]), store: store, bootID: "boot-2")
        #expect(next.status["modem.powerCyclesToday"]?.intValue == Int64(cycles))
    }

    @Test("A power program that fails is in status and in the log")
    func powerFails() throws {
        let scene = try ModemScene()
        scene.power.onFailure?("modem-on ended with status 1; run it by hand as the service user")
        #expect(scene.status["modem.problem"]?.stringValue?.contains("ended with status 1") == true)
        #expect(scene.bench.log.lines.contains { $0.hasPrefix("modem.power ") })
    }
}
