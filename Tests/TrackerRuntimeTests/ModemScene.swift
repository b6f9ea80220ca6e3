import DeviceSimulator
import Ports
import TestKit
import TrackerModel
import TrackerRuntime
import WireText

/// A runtime whose only way out is a simulated modem: on its command port, with its power, and with the route that it
/// brings.
final class ModemScene {
    let bench: RuntimeBench
    let port = ScriptedByteStream()
    let power: ScriptedModemPower
    var modem: SimulatedModem

    /// - Parameter isManaged: the runtime switches its power.
    init(
        _ options: SimulatedModem.Options = .init(), isManaged: Bool = true, store: MemoryStore = MemoryStore(),
        bootID: String = "boot-1", change: (inout TrackerConfig) -> Void = { _ in }
    ) throws {
        modem = SimulatedModem(options)
        let power = ScriptedModemPower()
        self.power = power
        bench = RuntimeBench(
            store: store, bootID: bootID, change: change,
            addPorts: { [port] ports in
                ports.modemPort = port
                if isManaged { ports.modemPower = power }
            })
        bench.routes.defaultInterface = nil
        if !isManaged { modem.setPower(true, at: bench.reactor.now) }
        power.onSwitch = { [unowned self] isOn in modem.setPower(isOn, at: bench.reactor.now) }
        port.onWrite = { [unowned self] in modem.receive($0, at: bench.reactor.now) }
        try bench.runtime.start()
    }

    /// The modem talks and its route comes and goes ten times a second.
    func pass(seconds: Int) {
        for _ in 0..<seconds * 10 {
            let bytes = modem.take(at: bench.reactor.now)
            if modem.isPowered, !bytes.isEmpty { port.handler?(.bytes(bytes)) }
            let route = modem.hasRoute(at: bench.reactor.now) ? "wwan0" : nil
            if bench.routes.defaultInterface != route { bench.routes.defaultInterface = route }
            bench.reactor.advance(byMillis: 100)
        }
    }

    var status: JSONValue { bench.status["link"] ?? .null }
    var sent: Int { bench.store.sentIDs.count }
}

final class ScriptedModemPower: ModemPower {
    var onFailure: ((String) -> Void)?
    var onSwitch: ((Bool) -> Void)?
    private(set) var orders: [String] = []

    func switchOn() {
        orders.append("on")
        onSwitch?(true)
    }

    func switchOff() {
        orders.append("off")
        onSwitch?(false)
    }

    func close(isOn: Bool) { if isOn { switchOff() } }

    func cycle() {
        orders.append("cycle")
        onSwitch?(false)
        onSwitch?(true)
    }
}

/// A ModemManager without a bus: what it has is set, and what it is asked for is noted.
final class ScriptedModemOwner: ModemOwner {
    private(set) var modem: ManagedModem?
    private(set) var problem: String?
    private(set) var orders: [String] = []
    private var changed: (() -> Void)?

    func watch(_ changed: @escaping () -> Void) { self.changed = changed }
    func reconnect() { orders.append("reconnect") }
    func reset() { orders.append("reset") }
    func close() { orders.append("close") }

    func tell(_ modem: ManagedModem?, problem: String? = nil) {
        self.modem = modem
        self.problem = problem
        changed?()
    }
}
