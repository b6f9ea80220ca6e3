import ModemControl
import Testing
import TrackerModel

/// A modem that ModemManager owns: what it tells becomes stages and faults, and mending is asked of it (spec power §5).
struct OwnedModemTests {
    /// A machine on a clock of its own.
    private struct Scene {
        var machine: ModemMachine
        var now = Instant(millis: 1_000)
        var wake = Instant.never
        var orders: [String] = []

        init(hasPowerControl: Bool = false, isWanted: Bool = true) {
            machine = ModemMachine(ModemConfig(hasPowerControl: hasPowerControl, isOwned: true), at: now)
            if isWanted { give(.wanted(true)) }
        }

        var report: ModemReport { machine.report }

        mutating func give(_ event: ModemEvent) {
            for action in machine.handle(event, at: now) {
                switch action {
                case .wake(let at): wake = at
                case .reconnect: orders.append("reconnect")
                case .reset: orders.append("reset")
                case .powerCycle: orders.append("cycle")
                case .powerOn: orders.append("on")
                case .powerOff: orders.append("off")
                case .openPort, .closePort, .write: orders.append("port")
                case .changed, .escalated: break
                }
            }
        }

        mutating func tell(_ change: (inout ManagedModem) -> Void) {
            var modem = ManagedModem()
            change(&modem)
            give(.told(modem))
        }

        mutating func run(seconds: Int64) {
            let end = now.advanced(byMillis: seconds * 1_000)
            while wake <= end {
                now = max(now, wake)
                give(.timerFired)
            }
            now = end
        }
    }

    private static func registered(_ modem: inout ManagedModem) {
        modem.state = 8
        modem.lock = 1
        modem.registration = 5
        modem.quality = 71
        modem.technologies = 1 << 14
        modem.network = "Mobile One"
    }

    @Test(
        "Each state of ModemManager is a stage",
        arguments: [
            (-1, .starting), (0, .starting), (1, .starting), (2, .sim), (3, .starting), (4, .starting), (5, .starting),
            (6, .registering), (7, .registering), (8, .routing), (9, .routing), (10, .routing), (11, .routing),
        ] as [(Int32, ModemReport.Stage)])
    func stages(state: Int32, stage: ModemReport.Stage) {
        var scene = Scene()
        scene.tell { $0.state = state }
        #expect(scene.report.stage == stage)
    }

    @Test("Signal, operator, technology, SIM and roaming are told as they are, and the route makes it up")
    func watched() {
        var scene = Scene()
        scene.tell(Self.registered)
        #expect(scene.report.quality == 71 && scene.report.network == "Mobile One")
        #expect(scene.report.technology == "LTE")
        #expect(scene.report.sim == .ready && scene.report.registration == .roaming)
        scene.give(.routeChanged(isUp: true))
        #expect(scene.report.stage == .up && scene.report.fault == nil)
        scene.tell {
            Self.registered(&$0)
            $0.quality = 250
            $0.technologies = 1 << 15 | 1 << 14
        }
        #expect(scene.report.stage == .up && scene.report.quality == 100 && scene.report.technology == "5G")
        #expect(scene.orders.isEmpty)
    }

    @Test(
        "What keeps it from coming up has its name when its limit is over",
        arguments: [
            // Failed without a SIM, with a broken one, an eSIM without profiles, and for another reason.
            (-1, 2, 0, nil, .simAbsent), (-1, 3, 0, nil, .simAbsent), (-1, 5, 0, nil, .simAbsent),
            (-1, 4, 0, nil, .unusable), (1, 0, 0, nil, .unusable), (3, 0, 1, nil, .disabled),
            (7, 0, 1, 2, .notRegistered), (7, 0, 1, 3, .denied), (8, 0, 1, 1, .noRoute),
        ] as [(Int32, UInt32, UInt32, UInt32?, ModemReport.Fault)])
    func faults(state: Int32, reason: UInt32, lock: UInt32, registration: UInt32?, fault: ModemReport.Fault) {
        var scene = Scene()
        scene.tell {
            $0.state = state
            $0.failedReason = reason
            $0.lock = lock
            $0.registration = registration
        }
        scene.run(seconds: 5)
        #expect(scene.report.fault == nil)
        scene.run(seconds: 121)
        #expect(scene.report.fault == fault)
        #expect(!fault.remedy.isEmpty)
    }

    @Test("A locked SIM is told at once, whichever property says so; PIN2 is of no matter")
    func locked() {
        for (state, lock) in [(2, 0), (2, 2), (-1, 10), (3, 4)] as [(Int32, UInt32)] {
            var scene = Scene()
            scene.tell {
                $0.state = state
                $0.lock = lock
            }
            #expect(scene.report.fault == .simLocked, "state \(state), lock \(lock)")
        }
        var scene = Scene()
        scene.tell {
            Self.registered(&$0)
            $0.lock = 3
        }
        #expect(scene.report.fault == nil && scene.report.stage == .routing)
    }

    @Test("F-68: registered without a route: reconnect after 1 min, reset 5 min later, then every 30 min; never a port")
    func mended() {
        var scene = Scene()
        scene.tell(Self.registered)
        scene.give(.routeChanged(isUp: true))
        scene.give(.routeChanged(isUp: false))
        scene.run(seconds: 59)
        #expect(scene.orders.isEmpty)
        scene.run(seconds: 1)
        #expect(scene.orders == ["reconnect"])
        scene.run(seconds: 300)
        #expect(scene.orders == ["reconnect", "reset"])
        scene.run(seconds: 1_800)
        #expect(scene.orders == ["reconnect", "reset", "reset"])
        scene.give(.routeChanged(isUp: true))
        scene.run(seconds: 86_400)
        #expect(scene.orders.count == 3 && scene.report.fault == nil)
    }

    @Test("The last remedy is a power cycle where power can be switched, at most six a day")
    func powerCycles() {
        var scene = Scene(hasPowerControl: true)
        #expect(scene.orders == ["on"])
        scene.tell(Self.registered)
        scene.run(seconds: 60 + 60 + 300 + 1_800 * 10)
        #expect(scene.orders.filter { $0 == "cycle" }.count == 6)
        #expect(scene.report.powerCycles == 6)
        #expect(scene.orders.last == "reset")
    }

    @Test("A modem that ModemManager does not have is asked for nothing, only its power is cycled")
    func gone() {
        var scene = Scene(hasPowerControl: true)
        scene.tell(Self.registered)
        scene.give(.told(nil))
        #expect(scene.report.stage == .starting && scene.report.quality == nil)
        scene.run(seconds: 2_400)
        #expect(scene.orders == ["on", "cycle"])
        #expect(scene.report.fault == .noModem)
        scene.tell(Self.registered)
        #expect(scene.report.stage == .routing && scene.report.fault == nil)
    }

    @Test(
        "What can be asked for nothing yet is not reconnected, and nothing says so; one that is disabled is",
        arguments: [
            (1, 0, ["reset"]), (4, 0, ["reset"]), (5, 0, ["reset"]), (2, 2, ["reset"]), (3, 0, ["reconnect", "reset"]),
            (7, 0, ["reconnect", "reset"]), (8, 0, ["reconnect", "reset"]),
        ] as [(Int32, UInt32, [String])])
    func notReadyYet(state: Int32, lock: UInt32, orders: [String]) {
        var scene = Scene()
        scene.tell {
            $0.state = state
            $0.lock = lock
        }
        scene.run(seconds: 120 + 60)
        #expect(scene.report.remedy == (orders.count == 2 ? .reconnect : nil))
        scene.run(seconds: 301)
        #expect(scene.orders == orders)
    }

    @Test("While its power is off nothing is told of it; when it is wanted, what is known counts at once")
    func off() {
        var scene = Scene(hasPowerControl: true, isWanted: false)
        scene.tell(Self.registered)
        #expect(scene.report.stage == .off && scene.report.quality == nil)
        scene.give(.wanted(true))
        #expect(scene.report.stage == .routing && scene.report.quality == 71)
        scene.give(.wanted(false))
        scene.run(seconds: 11)
        #expect(scene.report.stage == .off && scene.orders == ["on", "off"])
    }
}
