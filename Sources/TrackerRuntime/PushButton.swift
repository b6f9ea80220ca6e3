import Ports
import TrackerModel

/// A push-button on its line.
final class PushButton {
    private let reactor: any Reactor
    private let onGesture: (ButtonMachine.Gesture) -> Void
    private var machine: ButtonMachine
    private let alarm: Alarm
    private(set) var input: (any DigitalInput)!

    init(
        _ line: String, of lines: any DigitalLines, reactor: any Reactor,
        onGesture: @escaping (ButtonMachine.Gesture) -> Void
    ) throws(LineFailure) {
        self.reactor = reactor
        alarm = Alarm(reactor)
        self.onGesture = onGesture
        machine = ButtonMachine(isDown: false, at: reactor.now)
        input = try lines.input(line) { [unowned self] (edge: LineEdge) in
            tell(machine.changed(edge))
        }
        machine = ButtonMachine(isDown: input.isActive, at: reactor.now)
    }

    func close() {
        alarm.cancel()
        input.close()
    }

    private func tell(_ gesture: ButtonMachine.Gesture?) {
        alarm.set(at: machine.deadline, toleranceMillis: 10) { [unowned self] in
            tell(machine.advance(to: reactor.now))
        }
        if let gesture { onGesture(gesture) }
    }
}
