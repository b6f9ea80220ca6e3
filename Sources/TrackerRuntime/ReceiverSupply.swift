import Ports
import TrackerModel

/// Power and reset of the receiver on lines of the board, as far as they are wired.
final class ReceiverSupply {
    /// Its buffer capacitors hold a receiver up for a second or so.
    private static let darkMillis: Int64 = 2_000
    /// u-blox asks for at least 1 ms, Quectel (L76, L86) for 10 ms and more.
    private static let resetMillis: Int64 = 100

    private let reactor: any Reactor
    private let onFailure: (LineFailure) -> Void
    var power: (any DigitalOutput)?
    var reset: (any DigitalOutput)?
    private var timer: TimerID?
    /// Held without power.
    private(set) var isOff: Bool

    /// - Parameter onFailure: a line that could be had does not do what it should.
    init(isOff: Bool, reactor: any Reactor, onFailure: @escaping (LineFailure) -> Void) {
        self.isOff = isOff
        self.reactor = reactor
        self.onFailure = onFailure
    }

    /// Held, and without power in fact: its power line is wired.
    var isCut: Bool { isOff && power != nil }

    /// Takes the power away for longer, or gives it back: the boot gate (spec power §2).
    func hold(_ isHeld: Bool) {
        guard isHeld != isOff else { return }
        timer.map(reactor.cancel)
        timer = nil
        isOff = isHeld
        set(power, !isHeld)
    }

    /// Takes the power away for 2 s, or pulls the reset line where that is all there is.
    /// - Returns: what is done, in words; `nil` when neither is wired.
    func restart() -> String? {
        if isOff { return nil }
        if let power {
            pulse(power, to: false, millis: Self.darkMillis)
            return "its power was switched off and on"
        }
        guard let reset else { return nil }
        pulse(reset, to: true, millis: Self.resetMillis)
        return "its reset line was pulled"
    }

    /// A receiver that has power keeps it, as far as the board lets a line stay as it is when nobody has it.
    func close() {
        timer.map(reactor.cancel)
        set(power, !isOff)
        set(reset, false)
        power?.close()
        reset?.close()
    }

    private func pulse(_ line: any DigitalOutput, to level: Bool, millis: Int64) {
        timer.map(reactor.cancel)
        set(line, level)
        timer = reactor.schedule(at: reactor.now.advanced(byMillis: millis), toleranceMillis: millis / 10) {
            [unowned self] in
            timer = nil
            set(line, !level)
        }
    }

    private func set(_ line: (any DigitalOutput)?, _ isActive: Bool) {
        do throws(LineFailure) { try line?.set(isActive) } catch { onFailure(error) }
    }
}
