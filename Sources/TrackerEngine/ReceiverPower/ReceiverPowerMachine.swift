public import TrackerModel

/// When the receiver is on, and why (spec power §3): off → starting → acquiring → tracking → holding → off, plus failed.
///
/// It owns no device and no clock: events in, actions out; the caller answers `deadline` with `.timerFired`. A search
/// under way is never begun anew: whatever comes meanwhile only changes what is wanted of it.
public struct ReceiverPowerMachine {
    public enum State: String, Sendable, CaseIterable {
        case off
        /// Called, and not heard yet.
        case starting
        case acquiring
        case tracking
        /// It has given its fix and stays for the ephemeris.
        case holding
        /// It found nothing, and rests until the next try.
        case failed
    }

    /// Waits after one, two, … searches in vain (spec power §3). The last one repeats; where a look is due more rarely than
    /// that, as rarely as a look.
    static let backoffMillis: [Int64] = [300_000, 600_000, 1_200_000, 2_400_000, 3_600_000]
    /// The same after searches in which not a satellite was heard.
    private static let darkBackoffMillis: [Int64] = [300_000, 3_600_000]
    /// A shaking brings a retry forward at most once in this time (spec power §3).
    static let forwardMillis: Int64 = 300_000
    /// After a start that followed this long without fresh ephemeris it stays for them, so long at most, or until so many
    /// satellites have them (spec power §3).
    static let staleMillis: Int64 = 7_200_000
    static let holdMillis: Int64 = 20_000
    static let heldSatellites = 5
    /// Under a roof not a satellite is heard, under a sky one is within seconds: such a search gets this part of its time.
    private static let darkShare: Int64 = 6
    static let warmMillis: Int64 = 345_600_000
    /// No cold start has a fix earlier: subframes 1 to 3, which are an ephemeris, take 18 s (IS-GPS-200).
    static let coldMillis: Int64 = 15_000
    /// A fence is decided by two fixes a second apart (spec api §6), the session's first point by the best of the first
    /// minute at most.
    private static let settleMillis: Int64 = 2_000
    private static let firstPointMillis: Int64 = 60_000
    /// An ephemeris takes 18 to 30 s of unbroken signal (IS-GPS-200, subframes 1 to 3 in every frame of 30 s).
    private static let refreshMillis: Int64 = 30_000
    /// So long it may get better; what it has then must do, as for a one-shot whose time is up (spec capture §4.1).
    private static let poorMillis: Int64 = 20_000
    /// A receiver that does not rest is told so again after this long.
    private static let refusalMillis: Int64 = 3_600_000
    /// Later than planned by this, a receiver that was not reached wakes by itself.
    private static let ownWakeMillis: Int64 = 600_000

    let rules: ReceiverPowerRules
    public private(set) var state = State.off
    public private(set) var since = Instant.zero
    /// Why it is on, or was on last.
    public private(set) var reason = ReceiverPowerReason.boot
    /// How deep it rests, or rested before this start.
    public private(set) var rest: ReceiverRest
    /// It knows the sky after its supply was away; `nil`: that has not shown yet, and it is taken for cold.
    private(set) var remembersUnpowered: Bool?
    public private(set) var startClass = ReceiverStartClass.cold
    /// Not a sentence came in the last search.
    public private(set) var wasSilent = false
    /// Searches in vain since the last fix.
    public private(set) var failuresInRow = 0
    var demand = ReceiverDemand()
    var stillness = ReceiverStillness()
    var ledger = ReceiverPowerLedger()
    /// The next try after a search in vain, as far as the waits go.
    private(set) var retryAt = Instant.never
    private(set) var limitAt = Instant.never
    /// A search without the signal of a single satellite ends then.
    private var darkLimitAt = Instant.never
    /// Whether it has followed a satellite since it was started; `nil`: it has not told of the sky yet.
    private var hearsSignal: Bool?
    private(set) var restRefusedUntil = Instant.zero
    private(set) var startedAt = Instant.zero
    private var isFirst = true
    /// Its start was seen, so that the time to its fix means something.
    private var isMeasured = false
    /// Since when there have been fixes that are not good enough.
    private var poorSince: Instant?
    /// When it last had fresh ephemeris; `nil`: not since the tracker started.
    private(set) var freshAt: Instant?
    private(set) var firstFixAt = Instant.never
    private var ephemerides = 0
    private var forwardedAt: Instant?
    /// When `.timerFired` is due.
    public private(set) var deadline = Instant.never

    public init(_ rules: ReceiverPowerRules) {
        self.rules = rules
        rest = rules.sleep ?? .off
    }

    /// The receiver may be expected to speak. One that failed counts: its silence is a fault, not a wish.
    public var isOn: Bool { state != .off }
    /// It was sent to sleep, and takes some time before it can begin.
    public var isResting: Bool { state == .off || state == .failed }
    /// The fix that ends the search is judged at once, whatever the cadence (spec capture §12.5, the backstop).
    public var isSearching: Bool { state == .starting || state == .acquiring }

    public mutating func handle(
        _ event: ReceiverPowerEvent, at now: Instant, into actions: inout [ReceiverPowerAction]
    ) {
        switch event {
        case .started: start(.boot, now, &actions)
        case .held(let isCut): held(isCut, now, &actions)
        case .demandChanged(let wanted): demandChanged(wanted, now, &actions)
        case .stillnessRead(let reading): stillness.take(reading)
        case .stillnessLost: stillness.lost()
        case .spoke: spoke(now)
        case .fixDetermined(let isUsable): fixDetermined(isUsable, now)
        case .skyRead(let tracked, let withEphemeris):
            ephemerides = max(ephemerides, withEphemeris)
            hearsSignal = hearsSignal == true || tracked > 0
        case .fixWanted: if state == .off { start(.fixWanted, now, &actions) }
        case .startOrdered: if isResting { start(.ordered, now, &actions) }
        case .restRefused: restRefused(now, &actions)
        case .wokeByItself: if isResting { sendToRest(now, &actions) }
        case .timerFired: break
        }
        settle(now, &actions)
        deadline = nextDeadline(now)
    }

    /// How long it was in a state so far, milliseconds.
    public func millis(in state: State, at now: Instant) -> Int64 {
        ledger.millis(in: state) + (state == self.state ? max(0, now.millis(since: since)) : 0)
    }

    /// The mean time to a first fix, milliseconds; `nil` before there was one.
    public func firstFixMillis(_ startClass: ReceiverStartClass) -> Int64? { ledger.meanMillis(startClass) }

    public var starts: Int64 { ledger.starts }
    public var failures: Int64 { ledger.failures }

    private mutating func held(_ isCut: Bool, _ now: Instant, _ actions: inout [ReceiverPowerAction]) {
        let mustSleep = !isCut && !isResting && rules.sleep != nil
        (demand, restRefusedUntil) = (ReceiverDemand(), .zero)
        if state != .off { enter(.off, now) }
        if mustSleep { sendToRest(now, &actions) }
        if isCut { rest = .off }
    }

    private mutating func demandChanged(
        _ wanted: ReceiverDemand, _ now: Instant, _ actions: inout [ReceiverPowerAction]
    ) {
        let before = demand
        demand = wanted
        if isResting, rest != .off, rules.rest(wanted) == .off { sendToRest(now, &actions) }
        if state == .off, wanted.hasSession, !before.hasSession { return start(.fixWanted, now, &actions) }
        guard state == .failed, wanted.motion == .woken, wanted.tier < .survival, before.motion == .resting,
            forwardedAt.map({ now.millis(since: $0) >= Self.forwardMillis }) ?? true
        else { return }
        forwardedAt = now
        start(.woken, now, &actions)
    }

    private mutating func spoke(_ now: Instant) {
        wasSilent = false
        if state == .starting { enter(.acquiring, now) }
    }

    private mutating func fixDetermined(_ isUsable: Bool, _ now: Instant) {
        guard isSearching else { return }
        let poorSince = poorSince ?? now
        self.poorSince = poorSince
        guard isUsable || now.millis(since: poorSince) >= Self.poorMillis else { return }
        // How long it was on before the tracker came, nobody knows.
        if isMeasured {
            let millis = now.millis(since: startedAt)
            remembersUnpowered = remembered(firstFixMillis: millis)
            startClass = startClass(at: startedAt)
            ledger.learn(startClass, firstFixMillis: millis)
        }
        failuresInRow = 0
        isFirst = false
        firstFixAt = now
        enter(.tracking, now)
    }

    private mutating func restRefused(_ now: Instant, _ actions: inout [ReceiverPowerAction]) {
        guard isResting else { return }
        restRefusedUntil = now.advanced(byMillis: Self.refusalMillis)
        (startedAt, isMeasured, poorSince) = (now, false, nil)
        enter(.acquiring, now)
        actions.append(.diagnosed("receiver_does_not_rest: it goes on talking, and stays on"))
    }

    private mutating func settle(_ now: Instant, _ actions: inout [ReceiverPowerAction]) {
        let need = need(at: now)
        switch state {
        case .off, .failed:
            // After a search in vain shaking alone brings it forward rarely; what it must be on for does at once.
            if let need, state == .off || need != .woken {
                start(need, now, &actions)
            } else if let plan = plan(at: now) {
                if now >= plan.startAt { start(plan.reason, now, &actions) }
            } else if state == .failed {
                enter(.off, now)
            }
        case .starting, .acquiring:
            if need == nil, now >= searchEndsAt { fail(now, &actions) }
        case .tracking:
            guard need == nil, now >= settledAt else { break }
            if needsEphemeris, !isRefreshed(now) { enter(.holding, now) } else { goOff(now, &actions) }
        case .holding:
            if need != nil {
                enter(.tracking, now)
            } else if ephemerides >= Self.heldSatellites || now >= heldUntil {
                goOff(now, &actions)
            }
        }
        if let need, isOn, state != .failed { reason = need }
    }

    private mutating func start(
        _ why: ReceiverPowerReason, _ now: Instant, _ actions: inout [ReceiverPowerAction]
    ) {
        startClass = startClass(at: now)
        (reason, startedAt, ephemerides, isMeasured) = (why, now, 0, why != .boot)
        (poorSince, hearsSignal) = (nil, nil)
        let limitMillis = startClass.limitMillis * (isFirst ? 2 : 1)
        limitAt = now.advanced(byMillis: limitMillis)
        darkLimitAt = now.advanced(byMillis: limitMillis / Self.darkShare)
        ledger.starts += 1
        enter(.starting, now)
        actions.append(.start(startClass))
    }

    private mutating func fail(_ now: Instant, _ actions: inout [ReceiverPowerAction]) {
        wasSilent = state == .starting
        let isDark = hearsSignal == false
        // What stands under a roof twice stands in a garage: it is found when it moves, not by looking there again.
        let waits = isDark ? Self.darkBackoffMillis : Self.backoffMillis
        let wait =
            failuresInRow < waits.count - 1
            ? waits[failuresInRow] : max(waits[waits.count - 1], rules.backstopMillis(demand.tier))
        let what =
            wasSilent
            ? "receiver_silent: not a sentence"
            : isDark ? "receiver_no_signal: not a satellite" : "receiver_no_fix: no usable fix"
        let seconds = now.millis(since: startedAt) / 1_000
        failuresInRow += 1
        ledger.failures += 1
        isFirst = false
        retryAt = now.advanced(byMillis: wait)
        goToRest(as: .failed, now, &actions)
        let restMinutes = plan(at: now).map { max(0, $0.startAt.millis(since: now)) / 60_000 }
        actions.append(.diagnosed("\(what) in \(seconds) s; it rests" + (restMinutes.map { " for \($0) min" } ?? "")))
    }

    private mutating func goOff(_ now: Instant, _ actions: inout [ReceiverPowerAction]) {
        if state == .holding || isRefreshed(now) { freshAt = now }
        goToRest(as: .off, now, &actions)
    }

    private mutating func goToRest(as next: State, _ now: Instant, _ actions: inout [ReceiverPowerAction]) {
        enter(next, now)
        // Where nobody wants it there is no next try.
        if plan(at: now) == nil { enter(.off, now) }
        sendToRest(now, &actions)
    }

    private mutating func sendToRest(_ now: Instant, _ actions: inout [ReceiverPowerAction]) {
        rest = rules.rest(demand)
        let planned = plan(at: now).map { max(0, $0.startAt.millis(since: now)) + Self.ownWakeMillis }
        actions.append(.rest(rest, wakesAfterMillis: planned))
    }

    private mutating func enter(_ next: State, _ now: Instant) {
        ledger.add(now.millis(since: since), in: state)
        state = next
        since = now
    }

    private func isRefreshed(_ now: Instant) -> Bool {
        ephemerides >= Self.heldSatellites || now.millis(since: firstFixAt) >= Self.refreshMillis
    }

    private var searchEndsAt: Instant { hearsSignal == false ? darkLimitAt : limitAt }
    private var heldUntil: Instant { since.advanced(byMillis: Self.holdMillis) }
    private var settledAt: Instant {
        if restsBetweenFixes, demand.fences == .none { return firstFixAt }
        let hasPoint = demand.hasPoint || !demand.hasSession
        return firstFixAt.advanced(byMillis: hasPoint ? Self.settleMillis : Self.firstPointMillis)
    }

    private func nextDeadline(_ now: Instant) -> Instant {
        let need = need(at: now)
        let mayRest = need == nil ? Instant.zero : need == .restRefused ? restRefusedUntil : .never
        switch state {
        case .off, .failed: return plannedDeadline(now)
        case .starting, .acquiring: return max(mayRest, searchEndsAt)
        case .tracking: return max(mayRest, settledAt)
        case .holding: return heldUntil
        }
    }
}
