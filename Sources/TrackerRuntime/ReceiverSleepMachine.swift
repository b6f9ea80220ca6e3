import TrackerModel

/// Sends the receiver to sleep and calls it awake, as often as it takes (spec power §3): events in, actions out; the
/// caller answers `deadline` with `.timerFired`.
struct ReceiverSleepMachine {
    /// Every command is sent this often at most.
    static let tries = 3
    /// A receiver has stopped talking this long after it was told to: an epoch under way, and what its buffer holds.
    static let fallMillis: Int64 = 2_500
    /// Silence in the last part of that time is sleep.
    private static let quietMillis: Int64 = 1_200
    /// Between two calls: what wakes a receiver is lost, and it speaks within a second (u-blox M8 data sheet, start-up).
    static let callMillis: Int64 = 1_000
    /// After so many calls they become rare: what does not hear them then is broken, or on another line.
    private static let denseCalls = 10
    private static let rareMillis: Int64 = 10_000
    /// A receiver that wakes by itself this often in one rest, before its time, does not rest.
    static let mostOwnWakes = 5
    /// So much earlier is in time: a watch crystal that is off by 200 ppm, over the six hours of the longest rest.
    private static let earlyMillis: Int64 = 5_000

    enum Event: Equatable {
        /// `wakesAt`: when it will wake by itself, as it is told; `.never`: not at all. After `wokeByItself` it is one and
        /// the same rest that goes on.
        case restOrdered(wakesAt: Instant)
        /// `isCertain`: it was sent to sleep before; else it may be talking, and is given the time to do so.
        case wakeOrdered(isCertain: Bool)
        /// Valid frames came that are no answers: those come of a receiver that rests, too.
        case heard
        case timerFired
    }

    enum Action: Equatable {
        case sendSleep
        /// The number of the call, from 1.
        case call(Int)
        /// The first frame after being called.
        case spoke
        /// It woke by itself, and waits for `.restOrdered`.
        case wokeByItself(isEarly: Bool)
        /// It does not sleep.
        case refused
    }

    enum State: Equatable {
        case awake
        case falling(tries: Int, until: Instant)
        case asleep
        /// What is heard before `deafUntil` was said before it fell asleep.
        case calling(calls: Int, next: Instant, deafUntil: Instant)
    }

    private(set) var state = State.awake
    /// In this rest, before its time.
    private(set) var ownWakes = 0
    private var wakesAt = Instant.never
    private var heardAt = Instant.zero

    /// It sleeps, or is on its way: what it still says is nobody's.
    var isResting: Bool {
        switch state {
        case .falling, .asleep: true
        case .awake, .calling: false
        }
    }

    var deadline: Instant {
        switch state {
        case .awake, .asleep: .never
        case .falling(_, let until): until
        case .calling(_, let next, _): next
        }
    }

    mutating func handle(_ event: Event, at now: Instant, into actions: inout [Action]) {
        switch event {
        case .restOrdered(let wakesAt):
            self.wakesAt = wakesAt
            fall(tries: 1, at: now, into: &actions)
        case .wakeOrdered(let isCertain):
            ownWakes = 0
            var deafUntil = now
            if case .falling = state { deafUntil = now.advanced(byMillis: Self.quietMillis) }
            let first = isCertain ? now : now.advanced(byMillis: 2 * Self.callMillis)
            state = .calling(calls: 0, next: first, deafUntil: deafUntil)
            if isCertain { timerFired(at: now, into: &actions) }
        case .heard: heard(at: now, into: &actions)
        case .timerFired: if now >= deadline { timerFired(at: now, into: &actions) }
        }
    }

    private mutating func heard(at now: Instant, into actions: inout [Action]) {
        heardAt = now
        switch state {
        case .awake, .falling: break
        case .calling(_, _, let deafUntil):
            guard now >= deafUntil else { return }
            state = .awake
            actions.append(.spoke)
        case .asleep:
            let isEarly = now.advanced(byMillis: Self.earlyMillis) < wakesAt
            if isEarly { ownWakes += 1 }
            guard ownWakes <= Self.mostOwnWakes else { return refuse(into: &actions) }
            state = .awake
            actions.append(.wokeByItself(isEarly: isEarly))
        }
    }

    private mutating func timerFired(at now: Instant, into actions: inout [Action]) {
        switch state {
        case .awake, .asleep: break
        case .calling(let calls, _, let deafUntil):
            let wait = calls < Self.denseCalls ? Self.callMillis : Self.rareMillis
            state = .calling(calls: calls + 1, next: now.advanced(byMillis: wait), deafUntil: deafUntil)
            actions.append(.call(calls + 1))
        case .falling(let tries, _):
            if now.millis(since: heardAt) >= Self.quietMillis {
                state = .asleep
            } else if tries < Self.tries {
                fall(tries: tries + 1, at: now, into: &actions)
            } else {
                refuse(into: &actions)
            }
        }
    }

    private mutating func fall(tries: Int, at now: Instant, into actions: inout [Action]) {
        state = .falling(tries: tries, until: now.advanced(byMillis: Self.fallMillis))
        actions.append(.sendSleep)
    }

    private mutating func refuse(into actions: inout [Action]) {
        (state, ownWakes) = (.awake, 0)
        actions.append(.refused)
    }
}
