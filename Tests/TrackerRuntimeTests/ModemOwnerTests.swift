import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

/// A modem that ModemManager owns, as the way out (spec power §5).
struct ModemOwnerTests {
    private struct Scene {
        let owner = ScriptedModemOwner()
        let bench: RuntimeBench

        init(power: ScriptedModemPower? = nil) throws {
            bench = RuntimeBench(addPorts: { [owner] ports in
                ports.modemOwner = owner
                ports.modemPower = power
            })
            bench.routes.defaultInterface = nil
            try bench.runtime.start()
        }

        var link: JSONValue { bench.status["link"] ?? .null }
    }

    private var searching: ManagedModem {
        var modem = ManagedModem()
        modem.state = 7
        modem.registration = 2
        return modem
    }

    private var registered: ManagedModem {
        var modem = ManagedModem()
        modem.state = 8
        modem.registration = 1
        modem.quality = 55
        modem.network = "Mobile One"
        modem.technologies = 1 << 14
        return modem
    }

    @Test("A host without a modem has none in its status, and device-cli link says why")
    func absent() throws {
        let scene = try Scene()
        scene.owner.tell(nil, problem: "ModemManager is not running")
        scene.bench.reactor.advance(byMillis: 7_200_000)
        #expect(scene.link["state"] == "down" && scene.link["modem"] == nil)
        #expect(StatusPage.link(scene.link).contains("\nno modem: ModemManager is not running\n"))
        #expect(!StatusPage.text(scene.bench.status).contains("modem"))
        #expect(scene.owner.orders.isEmpty)
        #expect(!scene.bench.log.lines.contains { $0.hasPrefix("modem.") })
    }

    @Test("A modem that it has makes the link: registering, up with its signal, and lost again")
    func watched() throws {
        let scene = try Scene()
        scene.owner.tell(searching)
        #expect(scene.link["state"] == "registering")
        scene.owner.tell(registered)
        scene.bench.routes.defaultInterface = "wwan0"
        #expect(scene.link["state"] == "up" && scene.link["quality"]?.intValue == 55)
        #expect(scene.link["modem.owner"] == "ModemManager")
        #expect(StatusPage.link(scene.link).contains("home, Mobile One, LTE, signal 55 of 100"))
        scene.bench.routes.defaultInterface = nil
        scene.owner.tell(nil, problem: "ModemManager has ended")
        scene.bench.reactor.advance(byMillis: 11_000)
        #expect(scene.link["state"] == "noService" && scene.link["modem.fault"] == "noModem")
        #expect(StatusPage.text(scene.bench.status).contains("ModemManager has ended"))
    }

    @Test("F-68: a route that stays away is mended by its orders, and they are logged")
    func mended() throws {
        let scene = try Scene()
        scene.owner.tell(registered)
        scene.bench.routes.defaultInterface = "wwan0"
        scene.bench.routes.defaultInterface = nil
        scene.bench.reactor.advance(byMillis: 61_000)
        #expect(scene.owner.orders == ["reconnect"])
        scene.bench.reactor.advance(byMillis: 301_000)
        #expect(scene.owner.orders == ["reconnect", "reset"])
        #expect(scene.bench.log.lines.contains { $0.hasPrefix("modem.reset ") })
    }

    @Test("What its owner says of it is logged once, and not repeated while it stands")
    func logged() throws {
        let scene = try Scene()
        func lines() -> [String] { scene.bench.log.lines.filter { $0.hasPrefix("modem.owner ") } }
        scene.owner.tell(searching)
        #expect(lines().isEmpty)
        scene.owner.tell(searching, problem: "Register failed: not for you; allow it")
        scene.owner.tell(registered, problem: "Register failed: not for you; allow it")
        #expect(lines().count == 1 && lines().first?.contains("not for you") == true)
        scene.owner.tell(registered)
        scene.owner.tell(nil, problem: "ModemManager has ended")
        #expect(lines().count == 2)
    }

    @Test("A power order that failed stands until the next one, and hides nothing that ModemManager says")
    func failedOrder() throws {
        let power = ScriptedModemPower()
        let scene = try Scene(power: power)
        power.onFailure?("WwanEnabled failed: not for you; allow it")
        #expect(scene.link["modem.problem"]?.stringValue?.contains("not for you") == true)
        scene.owner.tell(nil, problem: "ModemManager has ended")
        #expect(scene.link["modem.problem"] == "ModemManager has ended")
        scene.owner.tell(registered)
        #expect(scene.link["modem.problem"]?.stringValue?.contains("not for you") == true)
        try SyncScene.commit(0, to: scene.bench.store)
        _ = try scene.bench.answer(Array(#"{"id":1,"op":"sync.now"}"#.utf8))
        #expect(power.orders == ["off", "on"] && scene.link["modem.problem"] == nil)
    }

    @Test("Where its power is ours it is off until it is wanted, and what cuts its power may be another")
    func powered() throws {
        let power = ScriptedModemPower()
        let scene = try Scene(power: power)
        scene.owner.tell(registered)
        scene.bench.reactor.advance(byMillis: 60_000)
        #expect(power.orders == ["off"] && scene.link["modem.stage"] == "off")
        scene.bench.runtime.stop()
        #expect(scene.owner.orders == ["close"])
    }
}
