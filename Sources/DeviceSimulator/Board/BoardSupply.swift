import TrackerModel

/// What feeds a simulated board: a battery, what draws from it, what charges it, and a regulator that lets go when the
/// voltage sags (F-65).
struct BoardSupply: Equatable, Sendable {
    enum State: String, Sendable {
        case on
        /// The voltage fell below what the regulator needs. It comes back as soon as it can.
        case cut
        /// The host switched itself off; only a charger starts it again.
        case off
    }

    /// What runs on the board.
    struct Load: Equatable, Sendable {
        var receiverIsAwake: Bool
        var modemIsOn: Bool
    }

    /// Milliwatts of host, receiver and modem: those of the energy ledger (docs/modules/power.md), rounded. While a modem
    /// looks for its network it sends at full power: 1.6 W, which a flat cell answers with 0.3 V less.
    private static let hostMilliwatts = 600.0
    private static let receiverMilliwatts = 90.0
    private static let modemMilliwatts = 115.0
    private static let modemRegisteringMilliwatts = 1_600.0
    private static let registeringMillis: Int64 = 60_000
    /// A 3.3 V board on a boost regulator; it starts again 0.1 V higher, after the usual delay of a supervisor chip.
    private static let cutMillivolts = 3_000.0
    private static let startMillivolts = 3_100.0
    private static let startDelayMillis: Int64 = 5_000

    private(set) var battery: SimulatedBattery
    private(set) var state = State.on
    /// Times without supply because the voltage sagged.
    private(set) var cuts = 0
    /// Board time of each that it ran.
    private(set) var receiverMillis: Int64 = 0
    private(set) var modemMillis: Int64 = 0
    private let script: BatteryScript
    private var now = Instant.zero
    private var stateSince = Instant.zero
    private var modemSince: Instant?
    private var load = Load(receiverIsAwake: false, modemIsOn: false)

    init(_ script: BatteryScript) {
        self.script = script
        battery = SimulatedBattery(capacityMilliwattHours: script.capacityMilliwattHours, percent: script.percent)
        advance(to: .zero, load)
    }

    var isOn: Bool { state == .on }

    /// Lets time pass with what ran until now; from here on `load` runs.
    mutating func advance(to instant: Instant, _ load: Load) {
        if self.load.receiverIsAwake { receiverMillis += instant.millis(since: now) }
        if self.load.modemIsOn { modemMillis += instant.millis(since: now) }
        // The script may have changed in between, more than once when time flies.
        for change in changes(until: instant) { draw(at: change) }
        now = max(now, instant)
        modemSince = load.modemIsOn ? modemSince ?? now : nil
        self.load = load
        draw(at: now)
        follow()
    }

    /// The host went off by its own wish, in order; or was started by somebody.
    mutating func hostSwitched(isOn: Bool) {
        guard isOn != (state == .on) else { return }
        enter(isOn ? .on : .off)
    }

    private mutating func follow() {
        switch state {
        case .on:
            guard battery.terminalMillivolts < Self.cutMillivolts else { return }
            cuts += 1
            enter(.cut)
        case .cut, .off:
            guard now.millis(since: stateSince) >= Self.startDelayMillis, state == .cut || battery.isCharging,
                battery.terminalMillivolts >= Self.startMillivolts
            else { return }
            enter(.on)
        }
    }

    private mutating func enter(_ state: State) {
        self.state = state
        stateSince = now
        draw(at: now)
    }

    private mutating func draw(at instant: Instant) {
        let scripted = script.segment(at: instant)?.milliwatts ?? 0
        var milliwatts = max(0, -scripted)
        if isOn {
            milliwatts += Self.hostMilliwatts + (load.receiverIsAwake ? Self.receiverMilliwatts : 0)
            if let modemSince {
                milliwatts +=
                    instant.millis(since: modemSince) < Self.registeringMillis
                    ? Self.modemRegisteringMilliwatts : Self.modemMilliwatts
            }
        }
        battery.advance(to: instant, loadMilliwatts: milliwatts, chargerMilliwatts: max(0, scripted))
    }

    /// Ends of segments, and of the modem's registration, after `now` and before `instant`.
    private func changes(until instant: Instant) -> [Instant] {
        var ends = script.ends
        if let modemSince { ends.append(modemSince.advanced(byMillis: Self.registeringMillis)) }
        return ends.filter { now < $0 && $0 < instant }.sorted()
    }

    /// The gauge does not answer.
    var isGaugeFaulty: Bool { script.segment(at: now)?.isFault ?? false }
}
