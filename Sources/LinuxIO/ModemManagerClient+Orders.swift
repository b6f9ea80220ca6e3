public import Ports
import TrackerModel

/// Mending. Where NetworkManager runs, the data connection is its own: it connects again when it finds the connection gone,
/// but takes a modem that somebody else disables for one that the user does not want.
extension ModemManagerClient {
    public func reconnect() {
        guard let ours else { return }
        switch ours.modem.state.state {
        case 3: order("Enable", [.bool(true)])
        // Enabled or searching: look for the network anew.
        case 6, 7: order("Register", on: ModemManagerObjects.networkInterface, [.text("")])
        case 8...:
            order("Disconnect", on: ModemManagerObjects.modemInterface + ".Simple", [.path("/")]) {
                [weak self] isDone in
                if isDone { self?.connectAgain(ours.modem.bearers.first) }
            }
        default: break
        }
    }

    public func reset() { order("Reset") }

    /// Without NetworkManager nobody else does; the connection keeps its properties.
    private func connectAgain(_ bearer: String?) {
        guard let bearer else { return }
        withNetworkManager { [weak self] isThere in
            if !isThere { self?.order("Connect", at: bearer, on: "org.freedesktop.ModemManager1.Bearer") }
        }
    }

    /// - Parameters:
    ///   - path: `nil`: the modem's.
    ///   - then: not called when the bus is lost.
    private func order(
        _ member: String, at path: String? = nil, on interface: String = ModemManagerObjects.modemInterface,
        _ arguments: [BusArgument] = [], then: @escaping (_ isDone: Bool) -> Void = { _ in }
    ) {
        guard let path = path ?? ours?.path else { return then(false) }
        bus?.call(Self.name, path, interface, member, arguments, timeoutMillis: Self.orderMillis) {
            [weak self] answer in
            let failure = Self.failure(of: member, answer)
            failure.map { self?.tell($0) }
            then(failure == nil)
        }
    }

    private static func failure(of member: String, _ answer: BusMessage) -> String? {
        guard let error = answer.error else { return nil }
        // ModemManager's, the bus's and NetworkManager's.
        let isRefused = [".Unauthorized", ".AccessDenied", ".PermissionDenied"].contains { error.name.hasSuffix($0) }
        let remedy = isRefused ? "allow it to the service user (deploy/60-tracker-modem.rules)" : "see mmcli -m any"
        // Some say much.
        let text = error.text.split(separator: "\n").first?.prefix(160) ?? ""
        return "\(member) failed: \(text.isEmpty ? error.name[...] : text); \(remedy)"
    }

    private func withNetworkManager(_ then: @escaping (_ isThere: Bool) -> Void) {
        bus?.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
            [.text("org.freedesktop.NetworkManager")]
        ) { answer in then((try? answer.bool()) ?? false) }
    }
}

/// Its power, by its radio: what cuts its supply is another `ModemPower`. NetworkManager switches it where it runs, as it
/// otherwise would not connect again; else it is disabled, and in the low power state where it has one.
extension ModemManagerClient: ModemPower {
    /// As long as a radio takes to leave its network.
    private static let darkMillis: Int64 = 5_000
    /// Beyond what the orders to switch it off may take; what becomes of one is not told when the bus is lost.
    private static let longestMillis: Int64 = 300_000

    public func switchOn() { power(true) }
    public func switchOff() { power(false) }

    public func cycle() {
        wantsPower = false
        switchOn(afterMillis: Self.longestMillis)
        powerOurs { [weak self] in
            // Another order may have come since.
            if let self, powerAlarm.isSet { switchOn(afterMillis: Self.darkMillis) }
        }
    }

    private func switchOn(afterMillis millis: Int64) {
        powerAlarm.set(afterMillis: millis, toleranceMillis: 1_000) { [unowned self] in power(true) }
    }

    /// Without a loop nothing can be asked: it stays as it is.
    public func close(isOn: Bool) {}

    private func power(_ isOn: Bool) {
        powerAlarm.cancel()
        wantsPower = isOn
        powerOurs()
    }

    /// Also a modem that comes later.
    /// - Parameter then: done or failed; not called when another order has come since, or the bus is lost.
    func powerOurs(_ then: @escaping () -> Void = {}) {
        guard let isOn = wantsPower, ours != nil else { return then() }
        withNetworkManager { [weak self] isThere in
            guard let self, wantsPower == isOn else { return }
            if isThere { return radio(isOn, then) }
            // A modem without the state refuses it, and is disabled or enabled all the same.
            if isOn {
                state(3) { [weak self] in self?.order("Enable", [.bool(true)]) { _ in then() } }
            } else {
                order("Enable", [.bool(false)]) { [weak self] isDone in
                    if isDone, let self { state(2, then) } else { then() }
                }
            }
        }
    }

    /// `MMModemPowerState`: 2 low, 3 on.
    private func state(_ number: UInt32, _ then: @escaping () -> Void) {
        guard let path = ours?.path else { return then() }
        bus?.call(
            Self.name, path, ModemManagerObjects.modemInterface, "SetPowerState", [.uint32(number)],
            timeoutMillis: Self.orderMillis
        ) { _ in then() }
    }

    private func radio(_ isOn: Bool, _ then: @escaping () -> Void) {
        bus?.call(
            "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "org.freedesktop.DBus.Properties",
            "Set",
            [.text("org.freedesktop.NetworkManager"), .text("WwanEnabled"), .anyBool(isOn)],
            timeoutMillis: Self.orderMillis
        ) { [weak self] answer in
            if let text = Self.failure(of: "WwanEnabled", answer) { self?.onFailure?(text) }
            then()
        }
    }
}
