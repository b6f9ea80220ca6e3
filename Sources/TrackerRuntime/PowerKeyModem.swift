public import Ports
import TrackerModel

/// Switches a modem with its power key, on a line of the board (spec power §5, `gpio`).
public final class PowerKeyModem: ModemPower {
    public var onFailure: ((String) -> Void)?
    private let key: any DigitalOutput
    private let reactor: any Reactor
    private var status: (any DigitalInput)?
    private var machine: PowerKeyMachine
    private var timer: TimerID?

    /// - Parameters:
    ///   - statusLine: active while the modem is on; `nil`: not wired.
    ///   - pulseMillis: how long the key is pressed.
    public init(
        keyLine: String, statusLine: String?, pulseMillis: Int64, lines: any DigitalLines, reactor: any Reactor
    ) throws(LineFailure) {
        self.reactor = reactor
        machine = PowerKeyMachine(pulseMillis: pulseMillis)
        key = try lines.output(keyLine, isActive: false)
        if let statusLine {
            status = try lines.input(statusLine) { [unowned self] (_: LineEdge) in advance() }
        }
    }

    deinit {
        timer.map(reactor.cancel)
        try? key.set(false)
        key.close()
        status?.close()
    }

    public func switchOn() {
        machine.switchOn()
        advance()
    }

    public func switchOff() {
        machine.switchOff()
        advance()
    }

    public func cycle() {
        machine.cycle()
        advance()
    }

    private func advance() {
        timer.map(reactor.cancel)
        timer = nil
        let actions = machine.advance(to: reactor.now, status: status?.isActive)
        if machine.deadline < .never {
            timer = reactor.schedule(at: machine.deadline, toleranceMillis: 50) { [unowned self] in advance() }
        }
        // Last: who hears of a failure may give another order.
        for action in actions {
            switch action {
            case .key(let isDown):
                do throws(LineFailure) { try key.set(isDown) } catch { onFailure?("\(error.cause); \(error.remedy)") }
            case .failed(let text): onFailure?(text)
            }
        }
    }
}
