import Ports
import TrackerModel

/// The vehicle's ignition on its line.
final class IgnitionInput {
    /// A starter motor pulls a vehicle's supply down for some 100 ms; a clean end has 2 s (E-136).
    static let settleMillis: Int64 = 500

    private let reactor: any Reactor
    private let onChange: (Bool) -> Void
    private var level: SettledLevel
    private let alarm: Alarm
    private(set) var input: (any DigitalInput)!

    init(
        _ line: String, of lines: any DigitalLines, reactor: any Reactor, onChange: @escaping (Bool) -> Void
    ) throws(LineFailure) {
        self.reactor = reactor
        alarm = Alarm(reactor)
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
        alarm.cancel()
        input.close()
    }

    private func look() {
        alarm.cancel()
        if let edge = level.advance(to: reactor.now) { return onChange(edge.isActive) }
        alarm.set(at: level.deadline, toleranceMillis: 100) { [unowned self] in look() }
    }
}
