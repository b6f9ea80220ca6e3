import GNSSCodecs
import TrackerModel

/// Knows what the receiver is and keeps it set up: asks, configures with acknowledgement and retry, and notices a receiver
/// that rebooted and forgot (spec power §3). Events in, actions out; the caller answers `deadline` with `.timerFired`.
struct ReceiverCareMachine {
    /// Every request is sent this often, this far apart (spec power §3; F-16: the first command may be lost).
    static let tries = 3
    static let answerMillis: Int64 = 1_000
    /// A receiver that forgets is set up at most this often; the wait doubles up to the second value.
    static let leastGapMillis: Int64 = 10_000
    static let mostGapMillis: Int64 = 640_000
    /// After this long without trouble the waits start afresh.
    static let calmMillis: Int64 = 600_000

    struct Wishes: Equatable {
        var configure: Bool
        /// 1…10.
        var rateHz: Int
        /// The line's speed is not fixed by the operator.
        var mayChangeSpeed: Bool
    }

    enum Event: Equatable {
        case locked(baud: Int)
        case unlocked
        /// It was sent to sleep: it may forget everything, and is set up afresh when it is heard again.
        case rested
        case identified(ReceiverIdentity)
        case replied(ReceiverReply)
        case noticed(String)
        /// Valid frames came, the most telling of them of this kind.
        case heard(ReceiverMark)
        /// An epoch, so long after the one before.
        case epoch(afterMillis: Int64)
        /// Epochs arrive late: more is sent than the line carries.
        case lagged
        /// It may track cyclically, or must not any more.
        case cyclicWanted(Bool)
        case timerFired
    }

    enum Action: Equatable {
        case send(ReceiverRequest, ReceiverDialect)
        /// The receiver goes over to this speed now.
        case changeSpeed(Int)
        case diagnose(String)
        /// It has begun or ended to track cyclically.
        case cyclicChanged
    }

    enum State: Equatable {
        case unlocked
        /// Set up again at `until`, for a reason.
        case waiting(until: Instant)
        case identifying(tries: Int, until: Instant)
        case configuring(tries: Int, until: Instant)
        /// The command is on its way until `at`; `.never` while the new speed is being proven.
        case changingSpeed(tries: Int, at: Instant)
        case watching
    }

    /// How far the receiver took the configuration.
    enum Outcome: Equatable {
        case open
        case done
        case partly([String])
        case refused(String)
    }

    let wishes: Wishes
    var state = State.unlocked
    var baud = 0
    private(set) var identity: ReceiverIdentity?
    var outcome = Outcome.open
    var dialect = ReceiverDialect.ubx
    var plan: ReceiverPlan?
    var step = 0
    var failed: [String] = []
    var hasAnswered = false
    /// Why it is set up again; `nil` the first time.
    var reason: String?
    var configuredAt: Instant?
    /// How often it has been set up again without a calm time between.
    private var repetitions = 0
    /// A reboot was noticed while requests were under way.
    var isStale = false
    var wantsCyclic = false
    /// It tracks cyclically, as far as it has said so.
    var isCyclic = false
    /// It has said that it cannot: asked again after each rest it would say so each time.
    var refusesCyclic = false
    /// What is asked of it after the plan.
    var extra: ReceiverRequest?
    var watch = ReceiverSetupWatch()

    init(wishes: Wishes) { self.wishes = wishes }

    /// When `.timerFired` is due next.
    var deadline: Instant {
        switch state {
        case .unlocked, .watching: .never
        case .waiting(let until), .identifying(_, let until), .configuring(_, let until): until
        case .changingSpeed(_, let at): at
        }
    }

    mutating func handle(_ event: Event, at now: Instant, into actions: inout [Action]) {
        switch event {
        case .locked(let baud): locked(baud, at: now, into: &actions)
        case .unlocked: state = .unlocked
        case .rested:
            (state, configuredAt, repetitions, reason) = (.unlocked, nil, 0, nil)
            (isCyclic, extra) = (false, nil)
        case .identified(let identity): identified(identity, at: now, into: &actions)
        case .replied(let reply): replied(reply, at: now, into: &actions)
        case .noticed(let text):
            guard Self.isStartUp(text) else { break }
            if case .configuring = state { isStale = true }
            forgot("it restarted", at: now)
        case .heard(let mark): watch.heard(mark)
        case .epoch(let millis):
            guard case .watching = state, let change = watch.epoch(afterMillis: millis) else { break }
            forgot(change, at: now)
        case .cyclicWanted(let isWanted):
            wantsCyclic = isWanted
            if case .watching = state { adjust(at: now, into: &actions) }
        case .lagged: forgot("it sends more than the line carries", at: now)
        case .timerFired: timerFired(at: now, into: &actions)
        }
    }

    /// Texts that receivers send when they start: u-blox INF and TXT (receiver descriptions), `PMTK010`/`PMTK011`
    /// (PMTK command packet manual).
    private static func isStartUp(_ text: String) -> Bool {
        ["u-blox ", "HW UBX", "ROM CORE", "ROM BASE", "EXT CORE", "PMTK010", "PMTK011", "MTKGPS"]
            .contains { text.hasPrefix($0) }
    }

    private mutating func locked(_ baud: Int, at now: Instant, into actions: inout [Action]) {
        self.baud = baud
        if case .changingSpeed(let tries, _) = state { return speedProven(tries: tries, at: now, into: &actions) }
        guard wishes.configure else { return state = .watching }
        guard let configuredAt else { return identify(tries: 1, at: now, into: &actions) }
        reason = "it was lost and found at \(baud) bit/s"
        state = .waiting(until: max(now, nextConfiguration(after: configuredAt, at: now)))
        if deadline <= now { timerFired(at: now, into: &actions) }
    }

    mutating func identify(tries: Int, at now: Instant, into actions: inout [Action]) {
        state = .identifying(tries: tries, until: now.advanced(byMillis: Self.answerMillis))
        actions.append(.send(.identity, dialect))
    }

    private mutating func identified(_ found: ReceiverIdentity, at now: Instant, into actions: inout [Action]) {
        let wasKnown = identity?.tellsItsMessages ?? false
        switch state {
        case .identifying where found.tellsItsMessages:
            identity = found
            configure(at: now, into: &actions)
        case .watching where wishes.configure && !wasKnown && found.tellsItsMessages,
            .configuring where !wasKnown && found.tellsItsMessages:
            // A late answer is an answer.
            identity = found
            configure(at: now, into: &actions)
        case .watching where wishes.configure && identity?.family == .generic && found.family != .generic:
            identity = found
            identify(tries: 1, at: now, into: &actions)
        case .unlocked, .waiting, .identifying, .configuring, .changingSpeed, .watching:
            // Several languages may be answered; the first decides, the others fill in.
            identity = ReceiverIdentity(
                family: identity?.family ?? found.family, model: identity?.model ?? found.model,
                firmware: identity?.firmware ?? found.firmware,
                protocolVersion: identity?.protocolVersion ?? found.protocolVersion)
        }
    }

    /// Plans to set the receiver up again, as soon as the last time is long enough ago.
    mutating func forgot(_ why: String, at now: Instant) {
        guard case .watching = state, let configuredAt, plan != nil else { return }
        reason = why
        state = .waiting(until: nextConfiguration(after: configuredAt, at: now))
    }

    /// When it may be set up again: 10 s after the last time, 20 s after the second time in a row, and so on.
    private mutating func nextConfiguration(after last: Instant, at now: Instant) -> Instant {
        repetitions = now.millis(since: last) < Self.calmMillis ? repetitions + 1 : 1
        let gap = Self.leastGapMillis << Int64(min(repetitions - 1, 10))
        return max(now, last.advanced(byMillis: min(gap, Self.mostGapMillis)))
    }

    private mutating func timerFired(at now: Instant, into actions: inout [Action]) {
        guard now >= deadline else { return }
        switch state {
        case .unlocked, .watching: break
        case .waiting: identify(tries: 1, at: now, into: &actions)
        case .identifying(let tries, _):
            if tries < Self.tries { return identify(tries: tries + 1, at: now, into: &actions) }
            identity = identity ?? ReceiverIdentity(family: .generic)
            configure(at: now, into: &actions)
        case .configuring(let tries, _):
            tries < Self.tries
                ? send(tries: tries + 1, at: now, into: &actions) : stepFailed(at: now, into: &actions)
        case .changingSpeed(let tries, _):
            guard case .port(let baud) = request else { break }
            state = .changingSpeed(tries: tries, at: .never)
            actions.append(.changeSpeed(baud))
        }
    }
}

extension ReceiverIdentity {
    /// Which messages the receiver has is known. A starting u-blox says what it is in pieces, first its maker and its
    /// firmware; only then, or in an answer, its protocol version. Those before u-blox 7 have none to tell.
    fileprivate var tellsItsMessages: Bool {
        switch family {
        case .ublox: protocolVersion != nil || (model != nil && firmware != nil)
        case .mtk, .quectel: true
        case .generic: false
        }
    }
}
