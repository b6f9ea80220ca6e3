import GNSSCodecs
import Ports
import TrackerEngine
import TrackerModel

/// Rest and waking of the receiver, on purpose: it must be neither hunted nor complained about meanwhile.
extension ReceiverLink {
    /// What is noticed of it.
    enum PowerNote {
        /// The first frame after it was called.
        case spoke
        /// It goes on talking; why it cannot rest, if that is known.
        case restRefused(String?)
        /// It rested, and talks again unasked.
        case wokeByItself
        case sky(SkyView)
    }

    /// What belongs to rest and waking.
    struct Power {
        var sleep = ReceiverSleepMachine()
        /// What sends it to sleep; `nil`: its supply is taken away.
        var command: [UInt8]?
        /// Gives it its supply or takes it away; false where no line does that.
        var feed: (Bool) -> Bool = { _ in false }
        /// It has not been told yet where and when it is, and the commands that tell it.
        var wantsAid = false
        var aid: () -> [ReceiverCommand] = { [] }
        var note: (PowerNote) -> Void = { _ in }
    }

    /// Sends it to rest. The line stays open, for it to be heard should it wake by itself.
    /// - Parameter wakesAfterMillis: see `ReceiverPowerControl.sleep`.
    func rest(_ depth: ReceiverRest, wakesAfterMillis: Int64?) {
        power.command = nil
        if depth == .off {
            guard power.feed(false) else { return stayAwake("the line of gnss.powerLine cannot be had") }
        } else {
            let commands = settings.powerControl.sleep(care.identity, wakesAfterMillis: wakesAfterMillis)
            guard !commands.isEmpty else { return stayAwake(familyProblem) }
            power.command = commands.flatMap(\.bytes)
        }
        endEpoch()
        step(ReceiverFinder.Event.rested)
        step(ReceiverCareMachine.Event.rested)
        let ownWakeMillis = settings.powerControl.wakesByTime && depth != .off ? wakesAfterMillis : nil
        let wakesAt = ownWakeMillis.map { reactor.now.advanced(byMillis: $0) } ?? .never
        step(ReceiverSleepMachine.Event.restOrdered(wakesAt: wakesAt))
        announce()
    }

    /// Calls it, until it is heard; what it must be told again is told then.
    /// - Parameter isCertain: it was sent to rest by us, so that it will not speak unasked.
    func wake(isCertain: Bool) {
        power.wantsAid = true
        step(ReceiverSleepMachine.Event.wakeOrdered(isCertain: isCertain))
        step(ReceiverFinder.Event.woken(isOpen: isOpen))
        announce()
    }

    /// Asks once for the satellites with their ephemeris, where the receiver has such a message.
    func pollSatellites() {
        guard knowsMGA, isOpen else { return }
        try? stream.write(ReceiverCommand.ubxPollSatellites.bytes)
    }

    /// Where and when it is, once after each start, for receivers that take it.
    func aidIfDue() {
        guard power.wantsAid, knowsMGA, isOpen, finder.isLocked else { return }
        power.wantsAid = false
        for command in power.aid() { try? stream.write(command.bytes) }
    }

    /// UBX-MGA and NAV-SAT came with protocol 15 (u-blox M8).
    private var knowsMGA: Bool { care.identity?.family == .ublox && care.identity?.protocolVersion ?? 0 >= 1_500 }

    func step(_ event: ReceiverSleepMachine.Event) {
        guard settings.powerControl != .none else { return }
        var actions: [ReceiverSleepMachine.Action] = []
        power.sleep.handle(event, at: reactor.now, into: &actions)
        actions.forEach(perform)
        armMachineAlarm()
    }

    private func perform(_ action: ReceiverSleepMachine.Action) {
        switch action {
        case .sendSleep: sendSleep()
        case .call(let number):
            _ = power.feed(true)
            call(number)
        case .spoke: power.note(.spoke)
        case .wokeByItself(let isEarly):
            if isEarly { diagnose("receiver_woke_by_itself: it is sent to rest again") }
            power.note(.wokeByItself)
        case .refused:
            power.wantsAid = true
            stayAwake(nil)
        }
    }

    private func sendSleep() {
        guard let command = power.command else { return _ = power.feed(false) }
        if isOpen { try? stream.write(command) }
    }

    func call(_ number: Int) {
        let bytes = settings.powerControl.call(number)
        if isOpen, !bytes.isEmpty { try? stream.write(bytes) }
    }

    private var familyProblem: String {
        let family = care.identity?.family
        let fitting = ReceiverPowerControl.forFamily(family) ?? .gpio
        return "gnss.powerControl is \(settings.powerControl.rawValue), and the receiver is "
            + "\(family?.rawValue ?? "unknown"); set it to \(fitting.rawValue)"
            + (fitting == .gpio ? " with a gnss.powerLine, or to none" : "")
    }

    /// It does not rest, though it should.
    private func stayAwake(_ why: String?) {
        _ = power.feed(true)
        step(ReceiverFinder.Event.woken(isOpen: isOpen))
        power.note(.restRefused(why))
    }
}
