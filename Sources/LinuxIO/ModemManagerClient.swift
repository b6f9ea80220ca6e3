public import Ports
public import TrackerModel

/// ModemManager on the system bus: what it tells of its modem, and what is asked of it
/// (`org.freedesktop.ModemManager1`, D-Bus interfaces `Modem`, `Modem.Modem3gpp`, `Modem.Simple` and `Bearer`).
///
/// Nothing of it is polled. A bus that cannot be reached, and an answer that makes no sense, are tried again, at first after
/// 5 s and then less and less often; a ModemManager that is not there is heard of when it comes.
public final class ModemManagerClient: ModemOwner {
    static let name = "org.freedesktop.ModemManager1"
    private static let root = "/org/freedesktop/ModemManager1"
    private static let retryMillis: ClosedRange<Int64> = 5_000...900_000
    /// Enabling waits for the SIM, a connection for its network: NetworkManager gives either two minutes.
    static let orderMillis: UInt64 = 120_000

    public private(set) var problem: String?
    /// Of `ModemPower`.
    public var onFailure: ((String) -> Void)?
    let reactor: LinuxReactor
    private let interface: String
    private var changed: (() -> Void)?
    private(set) var bus: SystemBus?
    private var objects = ModemManagerObjects()
    private let retry: Alarm
    private var nextRetryMillis = ModemManagerClient.retryMillis.lowerBound
    /// What the modem's power is to be; `nil`: nobody here switches it.
    var wantsPower: Bool?
    let powerAlarm: Alarm

    /// The bus is one of somebody's own: what it has is no device of this host.
    public static var isSimulated: Bool { SystemBus.isNamed }

    /// - Parameter interface: that the modem serves; empty: the only modem is it.
    public init(reactor: LinuxReactor, interface: String) {
        self.reactor = reactor
        retry = Alarm(reactor)
        powerAlarm = Alarm(reactor)
        self.interface = interface
    }

    public var modem: ManagedModem? { ours?.modem.state }

    /// With its object path.
    var ours: (path: String, modem: ModemManagerObjects.Modem)? {
        guard let path = objects.path(serving: interface), let modem = objects.modems[path] else { return nil }
        return (path, modem)
    }

    public func watch(_ changed: @escaping () -> Void) {
        self.changed = changed
        connect()
    }

    public func close() {
        changed = nil
        retry.cancel()
        powerAlarm.cancel()
        bus?.close()
        bus = nil
    }

    /// - Parameter problem: `nil`: all is well.
    func tell(_ problem: String?) {
        self.problem = problem
        changed?()
    }
}

// MARK: - Knowing

extension ModemManagerClient {
    private func connect() {
        do throws(SystemFailure) {
            let bus = try SystemBus(reactor: reactor) { [weak self] cause in self?.lose("\(cause); is D-Bus running?") }
            self.bus = bus
            listen(on: bus)
            ask()
        } catch { lose("\(error); is D-Bus running?") }
    }

    private func listen(on bus: SystemBus) {
        bus.listen(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.name)'"
        ) { [unowned self] message in ownerChanged(message) }
        let from = "type='signal',sender='\(Self.name)'"
        let manager = from + ",path='\(Self.root)',interface='org.freedesktop.DBus.ObjectManager'"
        bus.listen(manager + ",member='InterfacesAdded'") { [unowned self] message in
            take { objects throws(BusMessage.NoSuchValue) in try objects.takeInterfaces(message) }
        }
        bus.listen(manager + ",member='InterfacesRemoved'") { [unowned self] message in
            take { objects throws(BusMessage.NoSuchValue) in try objects.takeRemoval(message) }
        }
        let properties = from + ",interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='"
        for interface in [ModemManagerObjects.modemInterface, ModemManagerObjects.networkInterface] {
            bus.listen(properties + interface + "'") { [unowned self] message in
                take { objects throws(BusMessage.NoSuchValue) in
                    try objects.takeProperties(message, of: message.path)
                }
            }
        }
    }

    private func ask() {
        retry.cancel()
        bus?.call(
            Self.name, Self.root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"
        ) { [unowned self] answer in
            switch answer.error?.name {
            case nil:
                take { objects throws(BusMessage.NoSuchValue) in try objects.takeAll(answer) }
            case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
                forget("ModemManager is not running; systemctl enable --now ModemManager, or link.modemManager: off")
            case .some(let name):
                forget("ModemManager does not answer (\(name)); see systemctl status ModemManager")
                askLater()
            }
        }
    }

    private func ownerChanged(_ message: BusMessage) {
        do throws(BusMessage.NoSuchValue) {
            for _ in 0..<2 { _ = try message.text() }
            if try message.text().isEmpty {
                forget("ModemManager has ended; see journalctl -u ModemManager")
            } else {
                ask()
            }
        } catch { forget("the bus makes no sense") }
    }

    /// What is known changes as `change` says; where it cannot be read, all is asked for again.
    private func take(_ change: (inout ModemManagerObjects) throws(BusMessage.NoSuchValue) -> Void) {
        let before = ours?.path
        do throws(BusMessage.NoSuchValue) {
            var objects = self.objects
            try change(&objects)
            nextRetryMillis = Self.retryMillis.lowerBound
            guard objects != self.objects || problem != nil || before == nil else { return }
            self.objects = objects
        } catch {
            forget("ModemManager tells what makes no sense; is it 1.6 or newer? See mmcli --version")
            return askLater()
        }
        if before != ours?.path { powerOurs() }
        // What an order failed of is told until the modem is another, or connected.
        let isNews = before != ours?.path || (modem?.state ?? 0) >= 11
        tell(ours == nil ? absence : isNews ? nil : problem)
    }

    private var absence: String {
        objects.modems.isEmpty
            ? "ModemManager has no modem"
            : "ModemManager has \(objects.modems.count) modems, and none of them has "
                + (interface.isEmpty ? "been chosen; set link.interface" : "the port \(interface); see link.interface")
    }

    private func forget(_ problem: String) {
        objects = ModemManagerObjects()
        tell(problem)
    }

    private func lose(_ problem: String) {
        bus = nil
        forget(problem)
        askLater()
    }

    /// One loss may be told more than once: of what was asked, and of the bus.
    private func askLater() {
        guard !retry.isSet else { return }
        retry.set(afterMillis: nextRetryMillis, toleranceMillis: nextRetryMillis / 5) { [unowned self] in
            if bus == nil { connect() } else { ask() }
        }
        nextRetryMillis = min(nextRetryMillis * 2, Self.retryMillis.upperBound)
    }
}
