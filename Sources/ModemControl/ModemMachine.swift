public import TrackerModel

/// Brings a cellular modem up, watches it, and mends a lost link by rungs: reconnect, reset, power cycle (spec power §5).
///
/// Each stage of bringing up has its limit and its name when it fails; a stage that failed is watched on, slower, so that a
/// SIM put in late or coverage that comes back needs nobody. Only answers: every event returns what to do, in order.
public struct ModemMachine {
    /// How often something is asked while a stage is within its limit, and after that.
    static let eagerPollMillis: Int64 = 2_000
    static let patientPollMillis: Int64 = 10_000
    /// While the link is up: signal and registration.
    static let quietPollMillis: Int64 = 60_000
    /// A command unanswered so often in a row: the modem has to be greeted again.
    private static let silenceLimit = 3
    static let dayMillis: Int64 = 86_400_000

    let config: ModemConfig
    public internal(set) var report: ModemReport
    var dialogue = ATDialogue()
    /// As the program that owns it told last.
    var owned: ManagedModem?
    public internal(set) var isWanted = false
    var isPortOpen = false
    /// It answers, without echo, and with numbers for failures.
    var isGreeted = false
    var silences = 0
    public internal(set) var isRouteUp = false
    var unanswered = 0
    /// Of the stage; `.never` for `off` and `up`.
    var limit = Instant.never
    var nextPoll = Instant.never
    var offAt = Instant.never
    /// Of the next remedy; `.never` without trouble.
    var nextRung = Instant.never
    var rung = 0
    /// Those that count still.
    public internal(set) var powerCycledAt: [Instant] = []
    var asksRegistrationOf = ATCommand.epsRegistration
    /// The signal was asked for last, so the registration is next.
    var askedSignal = false
    var actions: [ModemAction] = []
    private var announcedWake = Instant.never

    /// - Parameter powerCycledAt: those of an earlier run that count still; before the boot is negative.
    public init(_ config: ModemConfig, powerCycledAt: [Instant] = [], at now: Instant) {
        self.config = config
        self.powerCycledAt = powerCycledAt
        report = ModemReport(stage: .off, since: now, powerCycles: powerCycledAt.count)
    }

    public mutating func handle(_ event: ModemEvent, at now: Instant) -> [ModemAction] {
        actions = []
        let before = report
        switch event {
        case .wanted(let wanted): want(wanted, now)
        case .portOpened: portOpened(now)
        case .portLost: portLost(now)
        case .received(let bytes): if let (command, reply) = dialogue.take(bytes) { hear(command, reply, now) }
        case .told(let modem): read(modem, now)
        case .routeChanged(let isUp): routeChanged(isUp, now)
        case .exchanged(let isAnswered): exchanged(isAnswered, now)
        case .timerFired: break
        }
        work(now)
        if report != before { actions.append(.changed) }
        let wake = min(dialogue.deadline, limit, dialogue.isWaiting ? .never : nextPoll, offAt, nextRung)
        if wake != announcedWake {
            announcedWake = wake
            actions.append(.wake(at: wake))
        }
        return actions
    }

    /// Everything that is due.
    private mutating func work(_ now: Instant) {
        if let (command, reply) = dialogue.expire(at: now) { hear(command, reply, now) }
        if offAt <= now { switchOff(now) }
        if limit <= now { overdue(now) }
        if nextRung <= now { climb(now) }
        if nextPoll <= now, !dialogue.isWaiting { poll(now) }
    }

    private mutating func want(_ wanted: Bool, _ now: Instant) {
        isWanted = wanted
        offAt = wanted || report.stage == .off ? .never : now.advanced(byMillis: config.tailMillis)
        guard wanted, report.stage == .off else { return }
        if config.hasPowerControl { actions.append(.powerOn) }
        begin(now)
    }

    /// A modem that nobody here switches stays as the host has it.
    private mutating func switchOff(_ now: Instant) {
        offAt = .never
        guard config.hasPowerControl else { return }
        if isPortOpen { actions.append(.closePort) }
        actions.append(.powerOff)
        closePort()
        calm()
        limit = .never
        nextPoll = .never
        report = ModemReport(stage: .off, since: now, powerCycles: report.powerCycles)
    }

    private mutating func portOpened(_ now: Instant) {
        isPortOpen = true
        isGreeted = false
        nextPoll = now
    }

    private mutating func portLost(_ now: Instant) {
        guard report.stage != .off else { return }
        closePort()
        nextPoll = now.advanced(byMillis: limit == .never ? Self.patientPollMillis : Self.eagerPollMillis)
        report.quality = nil
        if !isRouteUp, report.stage != .starting { enter(.starting, now) }
    }

    mutating func closePort() {
        isPortOpen = false
        isGreeted = false
        silences = 0
        dialogue.forget()
    }

    private mutating func routeChanged(_ isUp: Bool, _ now: Instant) {
        guard isUp != isRouteUp else { return }
        isRouteUp = isUp
        guard report.stage != .off else { return }
        enter(knownStage, now)
        if isUp {
            if unanswered < config.unansweredLimit { calm() }
        } else {
            nextPoll = now
            trouble(now)
            read(owned, now)
        }
    }

    private mutating func exchanged(_ isAnswered: Bool, _ now: Instant) {
        unanswered = isAnswered ? 0 : unanswered + 1
        if isAnswered { calm() }
        guard unanswered >= config.unansweredLimit, report.stage == .up else { return }
        report.fault = .noAnswer
        trouble(now)
    }

    /// Nobody answered in a row: from here on it is greeted like a new one.
    mutating func countSilence(_ now: Instant) {
        silences += 1
        guard silences >= Self.silenceLimit, isGreeted else { return }
        isGreeted = false
        report.quality = nil
        if !isRouteUp { enter(.starting, now) }
    }
}
