import Ports
import TrackerModel

/// A push-button on its line.
final class PushButton {
    private let reactor: any Reactor
    private let onGesture: (ButtonMachine.Gesture) -> Void
    private var machine: ButtonMachine
    private var timer: TimerID?
    private(set) var input: (any DigitalInput)!

    init(
        _ line: String, of lines: any DigitalLines, reactor: any Reactor,
        onGesture: @escaping (ButtonMachine.Gesture) -> Void
    ) throws(LineFailure) {
        self.reactor = reactor
        self.onGesture = onGesture
        machine = ButtonMachine(isDown: false, at: reactor.now)
        input = try lines.input(line) { [unowned self] (edge: LineEdge) in
            tell(machine.changed(edge))
        }
        machine = ButtonMachine(isDown: input.isActive, at: reactor.now)
    }

    func close() {
        timer.map(reactor.cancel)
        input.close()
    }

    private func tell(_ gesture: ButtonMachine.Gesture?) {
        timer.map(reactor.cancel)
        timer = nil
        if machine.deadline < .never {
            timer = reactor.schedule(at: machine.deadline, toleranceMillis: 10) { [unowned self] in
                tell(machine.advance(to: reactor.now))
            }
        }
        if let gesture { onGesture(gesture) }
    }
}
