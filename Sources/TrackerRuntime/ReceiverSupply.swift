import Ports
import TrackerModel

/// Power and reset of the receiver on lines of the board, as far as they are wired.
final class ReceiverSupply {
    /// Its buffer capacitors hold a receiver up for a second or so; given back earlier, its supply has only sagged, and the
    /// chip may hang.
    private static let darkMillis: Int64 = 2_000
    /// u-blox asks for at least 1 ms, Quectel (L76, L86) for 10 ms and more.
    private static let resetMillis: Int64 = 100

    private let reactor: any Reactor
    private let onFailure: (LineFailure) -> Void
    var power: (any DigitalOutput)?
    var reset: (any DigitalOutput)?
    private let powerAlarm: Alarm
    private let resetAlarm: Alarm
    private var darkSince: Instant?
    /// The battery does not allow it.
    private var isHeld: Bool
    /// Nothing is wanted of it for now.
    private var isResting = false

    /// - Parameter onFailure: a line that could be had does not do what it should.
    init(isHeld: Bool, reactor: any Reactor, onFailure: @escaping (LineFailure) -> Void) {
        self.isHeld = isHeld
        self.reactor = reactor
        (powerAlarm, resetAlarm) = (Alarm(reactor), Alarm(reactor))
        self.onFailure = onFailure
    }

    /// To be without power.
    var isOff: Bool { isHeld || isResting }
    /// Without power in fact: its power line is wired.
    var isCut: Bool { isOff && power != nil }

    /// Takes the power away as long as the battery does not allow it, or gives it back: the boot gate (spec power §2).
    func hold(_ isHeld: Bool) {
        guard isHeld != self.isHeld else { return }
        let wasOff = isOff
        self.isHeld = isHeld
        if isOff != wasOff { switchPower() }
    }

    /// Takes the power away while the receiver rests, or gives it back.
    /// - Returns: false when no line does that.
    func rest(_ isResting: Bool) -> Bool {
        guard power != nil else { return false }
        let wasOff = isOff
        self.isResting = isResting
        // One that is told to rest again goes on talking.
        if isResting || isOff != wasOff { switchPower() }
        return true
    }

    /// Takes the power away for 2 s, or pulls the reset line where that is all there is.
    /// - Returns: what is done, in words; `nil` when neither is wired.
    func restart() -> String? {
        if isOff { return nil }
        if power != nil {
            cut()
            switchPower()
            return "its power was switched off and on"
        }
        guard reset != nil else { return nil }
        set(reset, true)
        wait(resetAlarm, Self.resetMillis) { [unowned self] in set(reset, false) }
        return "its reset line was pulled"
    }

    /// A receiver that has power, or only rests, has it from now on, as far as the board lets a line stay as it is when
    /// nobody has it.
    func close() {
        powerAlarm.cancel()
        resetAlarm.cancel()
        set(power, !isHeld)
        set(reset, false)
        power?.close()
        reset?.close()
    }

    private func switchPower() {
        powerAlarm.cancel()
        if isOff { return cut() }
        let dark = darkSince.map { reactor.now.millis(since: $0) } ?? Self.darkMillis
        if dark >= Self.darkMillis { return give() }
        wait(powerAlarm, Self.darkMillis - dark) { [unowned self] in give() }
    }

    private func cut() {
        if darkSince == nil { darkSince = reactor.now }
        set(power, false)
    }

    private func give() {
        darkSince = nil
        set(power, true)
    }

    private func wait(_ alarm: Alarm, _ millis: Int64, _ body: @escaping () -> Void) {
        alarm.set(afterMillis: millis, toleranceMillis: millis / 10, body)
    }

    private func set(_ line: (any DigitalOutput)?, _ isActive: Bool) {
        do throws(LineFailure) { try line?.set(isActive) } catch { onFailure(error) }
    }
}
