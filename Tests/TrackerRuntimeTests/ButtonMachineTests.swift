import Ports
import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Button") struct ButtonMachineTests {
    /// Plays edges at their milliseconds, the timer at every deadline, and tells when which gesture came.
    private func gestures(
        _ edges: [(Int64, Bool)], isDown: Bool = false, until end: Int64 = 20_000
    ) -> [String] {
        var machine = ButtonMachine(isDown: isDown, at: .zero)
        var found: [String] = []
        func note(_ gesture: ButtonMachine.Gesture?, _ at: Instant) {
            if let gesture { found.append("\(gesture) \(at.millis)") }
        }
        func runTimers(until limit: Instant) {
            while machine.deadline <= limit {
                let due = machine.deadline
                note(machine.advance(to: due), due)
            }
        }
        for (millis, isActive) in edges {
            let at = Instant(millis: millis)
            runTimers(until: at)
            note(machine.changed(LineEdge(isActive: isActive, at: at)), at)
        }
        runTimers(until: Instant(millis: end))
        return found
    }

    @Test("released before a second it is a press, told 30 ms after") func press() {
        #expect(gestures([(100, true), (400, false)]) == ["press 430"])
        #expect(gestures([(100, true), (1_099, false)]) == ["press 1129"])
        #expect(gestures([(100, true), (1_100, false)]) == [])
    }

    @Test("down for three seconds it is a hold, told while it is still down, and once") func hold() {
        #expect(gestures([(100, true)]) == ["hold 3100"])
        #expect(gestures([(100, true), (9_000, false), (9_500, true), (9_700, false)]) == ["hold 3100", "press 9730"])
        #expect(gestures([(100, true), (2_900, false)]) == [])
    }

    @Test("contacts that bounce are one press, and one hold") func bounce() {
        let bounces: [(Int64, Bool)] = [(100, true), (104, false), (107, true), (112, false), (115, true)]
        let release: [(Int64, Bool)] = [(300, false), (303, true), (309, false)]
        #expect(gestures(bounces + release) == ["press 339"])
        #expect(gestures(bounces + [(1_500, false), (1_510, true)]) == ["hold 3115"])
    }

    @Test("what is shorter than 30 ms is nothing") func glitch() {
        #expect(gestures([(100, true), (129, false), (500, true), (510, false)]) == [])
    }

    @Test("a button that is down from the start counts from its next press on") func stuck() {
        #expect(gestures([], isDown: true) == [])
        #expect(gestures([(8_000, false), (9_000, true), (9_200, false)], isDown: true) == ["press 9230"])
    }

    @Test("an edge that comes late is judged by when it was") func late() {
        var machine = ButtonMachine(isDown: false, at: .zero)
        #expect(machine.changed(LineEdge(isActive: true, at: Instant(millis: 100))) == nil)
        #expect(machine.changed(LineEdge(isActive: false, at: Instant(millis: 300))) == nil)
        #expect(machine.advance(to: Instant(millis: 9_000)) == .press)
        #expect(machine.deadline == .never)
    }
}
