import DeviceSimulator
import ModemControl
import TrackerModel

/// A modem machine and a simulated modem on one simulated clock.
struct ModemBench {
    var machine: ModemMachine
    var modem: SimulatedModem
    var now = Instant(millis: 1_000)
    var wake = Instant.never
    var remedies: [(at: Instant, remedy: ModemRemedy)] = []
    /// How often the machine was called by its own timer.
    var wakeUps = 0
    private var isPortOpen = false
    private var hadRoute = false

    init(_ options: SimulatedModem.Options = .init(), hasPowerControl: Bool = true) {
        machine = ModemMachine(ModemConfig(hasPowerControl: hasPowerControl), at: now)
        modem = SimulatedModem(options)
        if !hasPowerControl { modem.setPower(true, at: now) }
    }

    var report: ModemReport { machine.report }

    mutating func give(_ event: ModemEvent) {
        var events = [event]
        while !events.isEmpty {
            for action in machine.handle(events.removeFirst(), at: now) { perform(action, &events) }
        }
    }

    private mutating func perform(_ action: ModemAction, _ events: inout [ModemEvent]) {
        switch action {
        case .powerOn: modem.setPower(true, at: now)
        case .powerOff: modem.setPower(false, at: now)
        case .powerCycle:
            modem.setPower(false, at: now)
            modem.setPower(true, at: now)
        case .openPort:
            isPortOpen = modem.isPowered
            events.append(isPortOpen ? .portOpened : .portLost)
        case .closePort: isPortOpen = false
        case .write(let bytes): if isPortOpen { modem.receive(bytes, at: now) }
        case .changed, .reconnect, .reset: break
        case .escalated(let remedy): remedies.append((now, remedy))
        case .wake(let at): wake = at
        }
    }

    /// Lets the time pass, everything in its order.
    mutating func run(seconds: Int64) {
        let end = now.advanced(byMillis: seconds * 1_000)
        while true {
            let next = min(wake, modem.nextOutput, now.advanced(byMillis: 500), end)
            now = max(now, next)
            let bytes = modem.take(at: now)
            if isPortOpen, !bytes.isEmpty { give(.received(bytes)) }
            let hasRoute = modem.hasRoute(at: now)
            if hasRoute != hadRoute {
                hadRoute = hasRoute
                give(.routeChanged(isUp: hasRoute))
            }
            if wake <= now {
                wakeUps += 1
                give(.timerFired)
            }
            if now >= end { return }
        }
    }
}
