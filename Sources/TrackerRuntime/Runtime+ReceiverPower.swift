import GNSSCodecs
import Ports
import TrackerEngine
import TrackerModel
import WireText

/// The receiver's power: what the tracker wants of it, what it is told at a start, and what `status` shows.
extension Runtime {
    /// A boundary this near is watched all the time while the device may be moving (spec power §3).
    private static let nearFenceM = 500.0
    /// An old position grows uncertain by what a car covers on a motorway, m/s; beyond the last value it is of no use
    /// (u-blox M8 protocol specification, UBX-MGA-INI-POS: wrong by more it does harm).
    private static let agedMps = 30.0
    private static let uselessM = 300_000.0
    /// Of a time that a crystal has carried on: 100 ppm, and what the line takes.
    private static let lineMillis: Int64 = 100
    private static let driftMillionths: Int64 = 100
    /// NTP on a bad link.
    private static let disciplinedMillis: Int64 = 1_000

    /// `nil` while the receiver's power is not controlled: then nothing of this exists.
    func makeReceiverPower() -> ReceiverPowerKeeper? {
        guard config.powerControl != .none else { return nil }
        receiver.power.aid = { [unowned self] in receiverAid }
        receiver.power.feed = { [unowned self] in feedReceiver($0) }
        return ReceiverPowerKeeper(
            ReceiverPowerRules(
                sleep: config.powerControl.rest, backstopMillis: config.backstopMillis,
                whileMoving: config.whileMoving), receiver,
            ReceiverPowerKeeper.Surroundings(
                reactor: ports.reactor, demand: { [unowned self] in receiverDemand },
                onPowered: { [unowned self] in step(.receiverPowered(isOn: $0)) },
                onCyclicChanged: { [unowned self] in accountForDevices() },
                diagnose: { [unowned self] in diagnose($0) },
                restart: { [unowned self] in
                    if let done = board?.supply.restart() { diagnose("receiver_restarted: \(done)") }
                },
                today: { [unowned self] in today }))
    }

    private func feedReceiver(_ isFed: Bool) -> Bool {
        defer { accountForDevices() }
        return board?.supply.rest(!isFed) ?? false
    }

    private var receiverDemand: ReceiverDemand {
        var demand = ReceiverDemand()
        switch engine.motionState {
        case .moving, .stopPending: demand.motion = .moving
        case .stopped, .stationary: demand.motion = engine.isAlert ? .woken : .resting
        }
        demand.tier = engine.powerTier
        demand.hasSession = engine.isOpen
        demand.hasPoint = engine.hasPoint
        demand.wasSeenMoving = engine.wasSeenMoving
        demand.hasOneShot = !oneShotReplies.isEmpty
        demand.isSupplied = [.ac, .usb].contains(power.machine.reading.supply)
        demand.hasSupplyLine = board?.supply.power != nil
        demand.intervalMillis = engine.cadence.intervalMillis
        if fences.count > 0 { demand.fences = fences.isBoundaryNear(withinM: Self.nearFenceM) ? .near : .far }
        return demand
    }

    /// True when the fix is what the receiver was started for.
    func endsReceiverSearch(_ fix: TrackFix) -> Bool {
        guard let receiverPower, fix.time != nil, !(fix.isMock && config.capture.mockPolicy == .reject) else {
            return false
        }
        lastAid = fix
        let isUsable = fix.accuracyM <= config.capture.pipeline.recoveryTrustM
        // The first point is chosen among several fixes, not the first that comes.
        return receiverPower.endsSearch(isUsable: isUsable) && engine.hasPoint
    }

    /// A fix is wanted, to decide something by: while the receiver runs all the time the next one does.
    func wantFix() {
        log(.debug, "fence.fix_wanted", [])
        receiverPower?.step(.fixWanted)
    }

    /// When a receiver that was searched for in vain is tried again; `nil` while it is not resting for that.
    var receiverRetryInWords: String? {
        let now = ports.reactor.now
        guard let machine = receiverPower?.machine, machine.state == .failed, let plan = machine.plan(at: now) else {
            return nil
        }
        let minutes = max(0, plan.startAt.millis(since: now)) / 60_000
        return "\(machine.failuresInRow) searches in vain, the next one in \(minutes) min"
    }

    /// Wakes a receiver that rests, for the operator; `nil` when it does not.
    func wakeReceiver() -> ReceiverResetResult? {
        guard let receiverPower, receiver.isResting else { return nil }
        receiverPower.step(.startOrdered)
        return .done("woke the receiver, which was resting")
    }

    /// What the receiver may have forgotten: where it is, and the time if anything vouches for it.
    private var receiverAid: [ReceiverCommand] {
        let now = ports.reactor.now
        var commands: [ReceiverCommand] = []
        if let (place, altitudeM, accuracyM, ageMillis) = lastPlace(at: now) {
            let grownM = accuracyM + Self.agedMps * Double(max(0, ageMillis)) / 1_000
            if grownM <= Self.uselessM {
                commands.append(.ubxAidPosition(place, altitudeM: altitudeM, accuracyM: grownM))
            }
        }
        if let clock {
            let age = now.millis(since: clock.instant)
            commands.append(
                .ubxAidTime(utcNow, accuracyMillis: Self.lineMillis + age * Self.driftMillionths / 1_000_000))
        } else if ports.reactor.wall.trust == .disciplined {
            commands.append(.ubxAidTime(utcNow, accuracyMillis: Self.disciplinedMillis))
        }
        return commands
    }

    /// The last fix of this run, else the last stored point when its age is known.
    private func lastPlace(
        at now: Instant
    ) -> (place: Coordinate, altitudeM: Double?, accuracyM: Double, ageMillis: Int64)? {
        if let fix = lastAid, fix.coordinate.isValid {
            return (fix.coordinate, fix.altitudeM, fix.accuracyM, now.millis(since: fix.instant))
        }
        guard let point = lastStored, let trustedNow else { return nil }
        return (
            point.coordinate, point.altitudeMM.map { Double($0) / 1_000 }, Double(point.accuracyMM) / 1_000,
            trustedNow.millis(since: point.time)
        )
    }

    /// State, why, since when, what comes next, and the time that it was on; absent while its power is not controlled.
    var receiverPowerStatus: JSONObject? {
        guard let receiverPower else { return nil }
        let machine = receiverPower.machine
        let now = ports.reactor.now
        func seconds(_ millis: Int64) -> JSONValue { .fixed(millis, places: 3) }
        var status: JSONObject = [
            "control": .string(config.powerControl.rawValue), "state": .string(machine.state.rawValue),
            "why": .string(machine.reason.rawValue), "sinceSec": seconds(max(0, now.millis(since: machine.since))),
        ]
        // Of a receiver that is not listened to, and was not told to sleep, nobody knows.
        if machine.isResting, receiver.isResting || board?.supply.isCut == true {
            status["rest"] = .string(machine.rest.rawValue)
        }
        if receiver.care.isCyclic { status["cyclic"] = .bool(true) }
        status["nextFixSec"] = machine.plan(at: now).map { seconds(max(0, $0.fixAt.millis(since: now))) }
        var firstFix = JSONObject()
        for startClass in ReceiverStartClass.allCases {
            firstFix[startClass.rawValue] = machine.firstFixMillis(startClass).map(seconds)
        }
        if !firstFix.names.isEmpty { status["firstFixSec"] = .object(firstFix) }
        var today = JSONObject()
        var onMillis: Int64 = 0
        for state in ReceiverPowerMachine.State.allCases {
            let millis = receiverPower.millisToday(in: state)
            // One that failed rests until its next try.
            if state != .off, state != .failed { onMillis += millis }
            if millis > 0 { today[state.rawValue] = seconds(millis) }
        }
        status["onTodaySec"] = seconds(onMillis)
        status["todaySec"] = .object(today)
        status["starts"] = .int(machine.starts)
        if machine.failures > 0 { status["failures"] = .int(machine.failures) }
        status["problem"] = receiverPower.problem.map { .string($0) }
        return status
    }
}
