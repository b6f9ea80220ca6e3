import Ports
import TrackerModel

/// The vehicle's ignition on its line.
final class IgnitionInput {
    /// A starter motor pulls a vehicle's supply down for some 100 ms; a clean end has 2 s (E-136).
    static let settleMillis: Int64 = 500

    private let reactor: any Reactor
    private let onChange: (Bool) -> Void
    private var level: SettledLevel
    private var timer: TimerID?
    private(set) var input: (any DigitalInput)!

    init(
        _ line: String, of lines: any DigitalLines, reactor: any Reactor, onChange: @escaping (Bool) -> Void
    ) throws(LineFailure) {
        self.reactor = reactor
        self.onChange = onChange
        level = SettledLevel(settleMillis: Self.settleMillis, isActive: false, at: reactor.now)
        input = try lines.input(line) { [unowned self] (edge: LineEdge) in
            level.changed(edge)
            look()
        }
        level = SettledLevel(settleMillis: Self.settleMillis, isActive: input.isActive, at: reactor.now)
    }

    var isOn: Bool { level.isActive }

    func close() {
        timer.map(reactor.cancel)
        input.close()
    }

    private func look() {
        timer.map(reactor.cancel)
        timer = nil
        if let edge = level.advance(to: reactor.now) { return onChange(edge.isActive) }
        guard level.deadline < .never else { return }
        timer = reactor.schedule(at: level.deadline, toleranceMillis: 100) { [unowned self] in look() }
    }
}
