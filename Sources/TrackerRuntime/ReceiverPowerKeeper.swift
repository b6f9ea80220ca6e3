import GNSSCodecs
import Ports
import TrackerEngine
import TrackerModel

/// Keeps the receiver on as long as it is needed: the machine that decides, its timer, and the link that obeys.
final class ReceiverPowerKeeper {
    /// Between two questions for the satellites' ephemeris.
    private static let pollMillis: Int64 = 5_000

    /// What it needs of the runtime.
    struct Surroundings {
        var reactor: any Reactor
        /// What the tracker wants of the receiver now.
        var demand: () -> ReceiverDemand
        /// The receiver may be expected to speak, or not.
        var onPowered: (Bool) -> Void
        /// It draws more or less than before, though it runs.
        var onCyclicChanged: () -> Void
        var diagnose: (String) -> Void
        /// Starts it by its lines, where it has some.
        var restart: () -> Void
        /// The date, for what is counted by days; `nil` while nobody knows it.
        var today: () -> String?
    }

    private let around: Surroundings
    private let link: ReceiverLink
    private(set) var machine: ReceiverPowerMachine
    private let alarm: Alarm
    private var pending: [ReceiverPowerEvent] = []
    private var isStepping = false
    private var isStarted = false
    private var wasOn = true
    private var hasRested = false
    private var demand = ReceiverDemand()
    private var polledAt = Instant.zero
    /// Why it cannot rest; `nil` while it can.
    private(set) var problem: String?
    /// The day that is counted, and what the counters were when it began.
    private var day: String?
    private var dayStart: [ReceiverPowerMachine.State: Int64] = [:]

    init(_ rules: ReceiverPowerRules, _ link: ReceiverLink, _ around: Surroundings) {
        self.around = around
        alarm = Alarm(around.reactor)
        self.link = link
        machine = ReceiverPowerMachine(rules)
        link.power.note = { [unowned self] in noticed($0) }
    }

    func start() {
        isStarted = true
        step(.started)
        update()
    }

    /// The battery does not allow it, until `start`.
    func hold(isCut: Bool) {
        stop()
        (demand, problem) = (ReceiverDemand(), nil)
        take(.held(isCut: isCut))
    }

    func stop() {
        isStarted = false
        alarm.cancel()
    }

    /// Something may have changed in what is wanted of the receiver.
    func update() {
        guard isStarted else { return }
        let wanted = around.demand()
        guard wanted != demand else { return }
        demand = wanted
        step(.demandChanged(wanted))
    }

    /// - Returns: true when it ends a search: then it is what the receiver was started for, and is judged at once.
    func endsSearch(isUsable: Bool) -> Bool {
        let wasSearching = machine.isSearching
        step(.fixDetermined(isUsable: isUsable))
        if machine.state == .holding, around.reactor.now.millis(since: polledAt) >= Self.pollMillis {
            polledAt = around.reactor.now
            link.pollSatellites()
        }
        return wasSearching && !machine.isSearching
    }

    func step(_ event: ReceiverPowerEvent) {
        if isStarted { take(event) }
    }

    /// An event that comes of what another one wants done waits until all of that is done.
    private func take(_ event: ReceiverPowerEvent) {
        pending.append(event)
        guard !isStepping else { return }
        isStepping = true
        defer { isStepping = false }
        while !pending.isEmpty {
            countDay()
            var actions: [ReceiverPowerAction] = []
            machine.handle(pending.removeFirst(), at: around.reactor.now, into: &actions)
            if machine.isOn != wasOn {
                wasOn = machine.isOn
                around.onPowered(wasOn)
            }
            actions.forEach(perform)
        }
        let isCyclic = machine.mayTrackCyclically(at: around.reactor.now)
        if isCyclic != link.care.wantsCyclic { link.step(ReceiverCareMachine.Event.cyclicWanted(isCyclic)) }
        arm()
    }

    /// Milliseconds in a state since the day began; since the tracker started, where that was later.
    func millisToday(in state: ReceiverPowerMachine.State) -> Int64 {
        countDay()
        return machine.millis(in: state, at: around.reactor.now) - (dayStart[state] ?? 0)
    }

    private func countDay() {
        guard let today = around.today(), today != day else { return }
        defer { day = today }
        // The date may become known late: what was counted before is of the same day.
        guard day != nil else { return }
        for state in ReceiverPowerMachine.State.allCases {
            dayStart[state] = machine.millis(in: state, at: around.reactor.now)
        }
    }

    private func perform(_ action: ReceiverPowerAction) {
        switch action {
        case .start:
            // What did not say a word before may hang.
            if machine.wasSilent { around.restart() }
            link.wake(isCertain: hasRested)
        case .rest(let depth, let wakesAfterMillis):
            hasRested = true
            problem = nil
            link.rest(depth, wakesAfterMillis: wakesAfterMillis)
        case .diagnosed(let message): around.diagnose(message)
        }
    }

    private func noticed(_ note: ReceiverLink.PowerNote) {
        switch note {
        case .spoke: step(.spoke)
        case .restRefused(let why):
            problem = why ?? "the receiver goes on talking when it is sent to rest; check gnss.powerControl"
            step(.restRefused)
        case .wokeByItself: step(.wokeByItself)
        case .cyclicChanged: around.onCyclicChanged()
        case .sky(let view):
            step(
                .skyRead(
                    tracked: view.satellites.count { $0.cn0DBHz ?? 0 > 0 },
                    withEphemeris: view.satellites.count { $0.hasEphemeris }))
        }
    }

    private func arm() {
        let due = machine.deadline
        guard due != alarm.deadline else { return }
        alarm.set(at: due, toleranceMillis: 500) { [unowned self] in step(.timerFired) }
    }
}
