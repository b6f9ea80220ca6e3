import Ports
import TrackerModel

/// The status light on its line.
final class BlinkingLight {
    private let output: any DigitalOutput
    private let reactor: any Reactor
    private let wanted: () -> LightState
    private var light = StatusLight()
    private let alarm: Alarm
    private(set) var failure: LineFailure?
    private var isClosed = false

    /// - Parameter wanted: asked before each pattern.
    init(_ output: any DigitalOutput, reactor: any Reactor, wanted: @escaping () -> LightState) {
        self.output = output
        self.reactor = reactor
        alarm = Alarm(reactor)
        self.wanted = wanted
    }

    var state: LightState { light.state }

    /// Something has happened that may be to be shown. It is looked at when the loop is through with what happened.
    func wake() {
        guard !isClosed, failure == nil, !alarm.isSet else { return }
        light.wake(at: reactor.now)
        schedule()
    }

    func close() {
        isClosed = true
        alarm.cancel()
        try? output.set(false)
        output.close()
    }

    private func play() {
        let was = light.isOn
        light.advance(to: reactor.now, showing: wanted)
        if light.isOn != was {
            do throws(LineFailure) { try output.set(light.isOn) } catch { failure = error }
        }
        if failure == nil { schedule() }
    }

    private func schedule() {
        alarm.set(at: light.deadline, toleranceMillis: light.toleranceMillis) { [unowned self] in play() }
    }
}
