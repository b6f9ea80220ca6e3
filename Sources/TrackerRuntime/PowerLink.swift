import Ports
import TrackerEngine
import TrackerModel

/// Reads the battery, does what the power machine says, and ends the run in order when the battery does.
final class PowerLink {
    /// The battery is read this often, and at these times after the start (spec power §1).
    private static let readMillis: Int64 = 60_000
    private static let earlyReadsMillis: [Int64] = [250, 1_000, 3_000]
    /// What is left of an override is noted this often: a power cut makes it longer by that at most.
    private static let noteMillis: Int64 = 600_000
    /// The last upload may take so long (spec power §2).
    private static let lastUploadMillis: Int64 = 60_000
    /// A host that did not go off is told again.
    private static let againMillis: Int64 = 600_000

    /// What is done around it.
    struct Surroundings {
        var utcNow: () -> UTCTime
        var emit: (TrackerEvent) -> Void
        var tierChanged: (PowerTier) -> Void
        /// What may be powered has changed.
        var gateChanged: () -> Void
        /// Whether the vehicle's ignition is on; `nil`: not wired.
        var isIgnitionOn: () -> Bool?
        /// Makes everything durable.
        var save: () -> Void
        /// Sends the newest point, and says when that is done or cannot be.
        var uploadLast: (@escaping () -> Void) -> Void
    }

    private let ports: RuntimePorts
    private let surroundings: Surroundings
    private(set) var machine: PowerMachine
    private var boots = BootRecord()
    private let earlyReads: [Alarm]
    private let nextRead: Alarm
    private let nextNote: Alarm
    private let machineAlarm: Alarm
    private let endAlarm: Alarm
    /// The battery is at its end.
    private(set) var isEnding = false
    private var hasAskedHost = false
    /// Why the host did not go off.
    private(set) var endProblem: String?

    init(_ config: PowerConfig, _ ports: RuntimePorts, _ surroundings: Surroundings) {
        self.ports = ports
        self.surroundings = surroundings
        machine = PowerMachine(config)
        earlyReads = Self.earlyReadsMillis.map { _ in Alarm(ports.reactor) }
        nextRead = Alarm(ports.reactor)
        nextNote = Alarm(ports.reactor)
        machineAlarm = Alarm(ports.reactor)
        endAlarm = Alarm(ports.reactor)
    }

    private var sources: [any BatterySource] { [ports.battery, ports.gauge].compactMap { $0 } }
    private var isWatching: Bool { !sources.isEmpty || ports.supplySense != nil }
    private var now: Instant { ports.reactor.now }
    /// Why the battery is not known, where that is a fault.
    var problem: String? { endProblem ?? sources.lazy.compactMap(\.problem).first }

    /// Before anything is powered: counts this boot, and looks at the battery.
    /// - Parameter last: how the run before ended.
    func start(after last: RunMark?, host: HostFacts) {
        boots = (try? ports.store.state(.boots)).flatMap { $0 }.flatMap(BootRecord.init(text:)) ?? BootRecord()
        if let last, last.bootID != host.bootID {
            boots.booted(wasClean: last.hasEnded)
            try? ports.store.setState(.boots, boots.text)
        }
        step(.started(uncleanBoots: boots.uncleanBoots))
        restoreOverride()
        guard isWatching else { return armRead() }
        read()
        for (alarm, millis) in zip(earlyReads, Self.earlyReadsMillis) {
            alarm.set(afterMillis: millis, toleranceMillis: 100) { [unowned self] in read() }
        }
        armRead()
    }

    func stop() {
        if let override = machine.override { try? keep(override) }
        for alarm in earlyReads + [nextRead, nextNote, machineAlarm, endAlarm] { alarm.cancel() }
    }

    private func armRead() {
        guard !nextRead.isSet, isWatching || boots.uncleanBoots > 0 else { return }
        nextRead.set(afterMillis: Self.readMillis, toleranceMillis: Self.readMillis / 10) { [unowned self] in
            noteLife()
            read()
            armRead()
        }
    }

    private func armNote() {
        nextNote.set(afterMillis: Self.noteMillis, toleranceMillis: Self.noteMillis / 10) { [unowned self] in
            guard let override = machine.override else { return }
            try? keep(override)
            armNote()
        }
    }

    /// For as long as it can matter to the next start.
    private func noteLife() {
        guard boots.uncleanBoots > 0 else { return }
        boots.lived(byMillis: Self.readMillis)
        try? ports.store.setState(.boots, boots.text)
    }

    /// Reads the battery now: something has happened to the supply.
    func read() {
        let ignition = surroundings.isIgnitionOn()
        guard isWatching || ignition != nil else { return }
        let vehicle = ignition == true ? [BatteryReading(supply: .ac)] : []
        let readings = vehicle + sources.map { $0.read() }
        step(.batteryRead(readings, isUnderVoltage: ports.supplySense?.isUnderVoltage()))
    }

    private func step(_ event: PowerEvent) {
        var actions: [PowerAction] = []
        machine.handle(event, at: now, into: &actions)
        actions.forEach(perform)
    }

    private func perform(_ action: PowerAction) {
        switch action {
        case .tierChanged(let tier): surroundings.tierChanged(tier)
        case .powerSaveChanged(let isOn): surroundings.emit(.powerSaveChange(isOn))
        case .batteryChanged(let info): surroundings.emit(.batteryChange(info))
        case .underVoltage:
            surroundings.emit(.error(.powerUnstable, "the supply sags; check battery, regulator and cable"))
        case .gateChanged: surroundings.gateChanged()
        case .exhausted: end()
        case .recovered: stayOn()
        case .overrideEnded:
            nextNote.cancel()
            try? ports.store.setState(.power, "")
        case .wake(let deadline):
            machineAlarm.set(at: deadline, toleranceMillis: 1_000) { [unowned self] in step(.timerFired) }
        }
    }
}

// MARK: - The operator's word

extension PowerLink {
    /// `nil`: the battery decides again.
    /// - Throws: when it could not be kept over a restart; nothing has changed then.
    func override(_ tier: PowerTier?, forMillis millis: Int64) throws(StoreFailure) {
        guard let tier else {
            try ports.store.setState(.power, "")
            nextNote.cancel()
            return step(.overridden(nil))
        }
        let wish = PowerOverride(tier: tier, until: now.advanced(byMillis: millis))
        try keep(wish)
        step(.overridden(wish))
        armNote()
    }

    /// Its tier, the date at which it ends, and what is left of it. That is noted now and then: where no clock runs
    /// through a power cut, the time that the tracker ran counts.
    private func keep(_ wish: PowerOverride) throws(StoreFailure) {
        let rest = wish.until.millis(since: now)
        let until = surroundings.utcNow().advanced(byMillis: rest)
        try ports.store.setState(.power, "\(wish.tier.rawValue) \(until.millis) \(rest)")
    }

    /// A clock that is behind after a power cut must not make it last longer than it was meant to.
    private func restoreOverride() {
        guard let text = (try? ports.store.state(.power)).flatMap({ $0 }) else { return }
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3, let tier = PowerTier(rawValue: words[0]), let until = Int64(words[1]),
            let left = Int64(words[2])
        else { return }
        let rest = min(until - surroundings.utcNow().millis, left)
        guard rest > 0 else { return }
        step(.overridden(PowerOverride(tier: tier, until: now.advanced(byMillis: rest))))
        armNote()
    }
}

// MARK: - The end

extension PowerLink {
    private func end() {
        isEnding = true
        surroundings.emit(.error(.powerUnstable, "battery exhausted"))
        surroundings.save()
        armEnd(afterMillis: Self.lastUploadMillis)
        surroundings.uploadLast { [weak self] in
            guard let self, isEnding, !hasAskedHost, endAlarm.isSet else { return }
            switchOff()
        }
    }

    private func stayOn() {
        (isEnding, hasAskedHost) = (false, false)
        endProblem = nil
        endAlarm.cancel()
    }

    private func armEnd(afterMillis millis: Int64) {
        endAlarm.set(afterMillis: millis, toleranceMillis: 0) { [unowned self] in switchOff() }
    }

    private func switchOff() {
        endAlarm.cancel()
        // A last look: a charger may have come in this minute.
        read()
        guard isEnding else { return }
        surroundings.save()
        guard let host = ports.hostPower else {
            return surroundings.emit(.diagnostic("host_stays_on: nothing here switches it off"))
        }
        // The request was taken, and nothing came of it: something on the host holds it up.
        if hasAskedHost, endProblem == nil { staysOn("it was told to, and still runs; see systemd-inhibit --list") }
        hasAskedHost = true
        armEnd(afterMillis: Self.againMillis)
        host.powerOff { [weak self] problem in
            if let self, isEnding { staysOn(problem) }
        }
    }

    private func staysOn(_ problem: String) {
        endProblem = problem
        surroundings.emit(.error(.powerUnstable, "the host does not go off: \(problem)"))
    }
}
