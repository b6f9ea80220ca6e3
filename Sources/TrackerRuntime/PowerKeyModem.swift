public import Ports
import TrackerModel

/// Switches a modem with its power key, on a line of the board (spec power §5, `gpio`). The lines are taken with the first
/// order, and tried again with each later one while they are refused.
public final class PowerKeyModem: ModemPower {
    public var onFailure: ((String) -> Void)?
    private let keyLine: String
    private let statusLine: String?
    private let lines: any DigitalLines
    private let reactor: any Reactor
    private var key: (any DigitalOutput)?
    private var status: (any DigitalInput)?
    private var machine: PowerKeyMachine
    private let alarm: Alarm

    /// - Parameters:
    ///   - statusLine: active while the modem is on; `nil`: not wired.
    ///   - pulseMillis: how long the key is pressed.
    public init(
        keyLine: String, statusLine: String?, pulseMillis: Int64, lines: any DigitalLines, reactor: any Reactor
    ) {
        self.keyLine = keyLine
        self.statusLine = statusLine
        self.lines = lines
        self.reactor = reactor
        alarm = Alarm(reactor)
        machine = PowerKeyMachine(pulseMillis: pulseMillis)
    }

    deinit {
        try? key?.set(false)
        key?.close()
        status?.close()
    }

    public func switchOn() { give { $0.switchOn() } }
    public func switchOff() { give { $0.switchOff() } }
    public func cycle() { give { $0.cycle() } }

    /// A press of the key takes the loop's time: the modem stays as it is, and the next start sees its status line.
    public func close(isOn: Bool) {}

    private func give(_ order: (inout PowerKeyMachine) -> Void) {
        do throws(LineFailure) {
            try takeLines()
            order(&machine)
            advance()
        } catch { onFailure?(error.message) }
    }

    private func takeLines() throws(LineFailure) {
        if key == nil { key = try lines.output(keyLine, isActive: false) }
        guard status == nil, let statusLine else { return }
        status = try lines.input(statusLine) { [unowned self] (_: LineEdge) in advance() }
    }

    private func advance() {
        let actions = machine.advance(to: reactor.now, status: status?.isActive)
        alarm.set(at: machine.deadline, toleranceMillis: 50) { [unowned self] in advance() }
        // Last: who hears of a failure may give another order.
        for action in actions {
            switch action {
            case .key(let isDown):
                do throws(LineFailure) { try key?.set(isDown) } catch { onFailure?(error.message) }
            case .failed(let text): onFailure?(text)
            }
        }
    }
}
