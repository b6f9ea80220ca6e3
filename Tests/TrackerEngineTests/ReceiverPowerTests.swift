import TestKit
import Testing
import TrackerModel

@testable import TrackerEngine

/// A receiver's power machine with a clock in seconds, and what it did.
struct PowerBench {
    var machine: ReceiverPowerMachine
    var now = Instant.zero
    var demand = ReceiverDemand()
    var actions: [(second: Int64, action: ReceiverPowerAction)] = []

    init(_ rules: ReceiverPowerRules = ReceiverPowerRules()) {
        machine = ReceiverPowerMachine(rules)
        demand.hasSession = true
        demand.hasPoint = true
    }

    var second: Int64 { now.millis / 1_000 }
    var starts: [Int64] { actions.compactMap { if case .start = $0.action { $0.second } else { nil } } }
    var rests: [Int64] { actions.compactMap { if case .rest = $0.action { $0.second } else { nil } } }
    var notes: [String] { actions.compactMap { if case .diagnosed(let text) = $0.action { text } else { nil } } }

    mutating func send(_ event: ReceiverPowerEvent) {
        var out: [ReceiverPowerAction] = []
        machine.handle(event, at: now, into: &out)
        actions += out.map { (second, $0) }
    }

    /// Lets time go on, timers included.
    mutating func run(to target: Int64) {
        while machine.deadline <= Instant(millis: target * 1_000) {
            let before = now
            now = max(now, machine.deadline)
            send(.timerFired)
            #expect(machine.deadline > now || now > before, "a timer that never ends, in \(machine.state)")
            if machine.deadline <= before { break }
        }
        now = max(now, Instant(millis: target * 1_000))
    }

    mutating func want(_ change: (inout ReceiverDemand) -> Void) {
        change(&demand)
        send(.demandChanged(demand))
    }

    mutating func still(_ isStill: Bool = true) {
        send(.stillnessRead(StillnessReading(instant: now, rmsG: 0, stillSince: isStill ? now : nil, shakenSince: nil)))
    }

    /// Starts the tracker and lets it find a fix after a time, and its ephemeris.
    mutating func boot(fixAfter seconds: Int64 = 30) {
        send(.started)
        send(.demandChanged(demand))
        still()
        find(after: seconds)
        run(to: second + 25)
    }

    mutating func find(after seconds: Int64) {
        run(to: second + 1)
        send(.spoke)
        run(to: second + seconds - 1)
        send(.fixDetermined(isUsable: true))
    }
}

@Suite("When the receiver is on (power.md §3)")
struct ReceiverPowerTests {
    @Test("It boots cold, stays 20 s for the ephemeris, rests, and looks again after 15 min less what a fix takes")
    func day() {
        var bench = PowerBench()
        bench.boot()
        #expect(bench.machine.state == .off && bench.machine.rest == .backup)
        #expect(bench.rests == [52])
        #expect(bench.machine.plan(at: bench.now)?.fixAt == Instant(millis: 952_000))
        bench.run(to: 949)
        #expect(bench.starts == [0])
        bench.run(to: 950)
        #expect(bench.starts == [0, 950])
        #expect(bench.machine.reason == .backstop && bench.machine.startClass == .hot)
        bench.find(after: 4)
        bench.run(to: 1_000)
        // Two seconds for a second fix; the ephemeris is fresh.
        #expect(bench.rests == [52, 956])
        #expect(bench.machine.firstFixMillis(.hot) == 4_000)
        #expect(bench.machine.firstFixMillis(.cold) == nil, "how long it was on before the boot nobody knows")
        bench.run(to: 1_851)
        #expect(bench.starts == [0, 950])
        bench.run(to: 1_852)
        #expect(bench.starts == [0, 950, 1_852])
    }

    @Test(
        "Searches end after 60 s hot, 120 s warm, 300 s cold, and the first one after twice its time",
        arguments: [(Int64(600), Int64(60)), (7_300, 120), (345_700, 300)])
    func limits(rested: Int64, limit: Int64) {
        var first = PowerBench()
        first.send(.started)
        first.send(.demandChanged(first.demand))
        first.still()
        first.send(.spoke)
        first.run(to: 599)
        #expect(first.machine.state == .acquiring)
        first.run(to: 600)
        #expect(first.machine.state == .failed)
        var bench = PowerBench()
        bench.demand.hasSession = false
        bench.boot()
        bench.run(to: 52 + rested)
        bench.send(.fixWanted)
        bench.send(.spoke)
        bench.run(to: 52 + rested + limit - 1)
        #expect(bench.machine.state == .acquiring)
        bench.run(to: 52 + rested + limit)
        #expect(bench.machine.state == .off, "nobody wants it any more")
        #expect(bench.notes == ["receiver_no_fix: no usable fix in \(limit) s; it rests"])
    }

    @Test("After searches in vain it waits 5, 10, 20, 40, 60 and 60 min; a fix begins the row anew")
    func backoff() {
        var bench = PowerBench()
        bench.boot()
        bench.run(to: 30_000)
        let waits = zip(bench.rests.dropFirst(), bench.starts.dropFirst(2)).map { $1 - $0 }
        #expect(waits.prefix(6) == [300, 600, 1_200, 2_400, 3_600, 3_600])
        #expect(bench.notes.first?.hasPrefix("receiver_silent: not a sentence in 60 s") == true)
        bench.send(.startOrdered)
        bench.find(after: 3)
        #expect(bench.machine.failuresInRow == 0)
    }

    @Test("A search in vain is not tried again when nobody wants it: without a session and fences it is off")
    func unwanted() {
        var bench = PowerBench()
        bench.boot()
        bench.run(to: 1_020)
        #expect(bench.machine.state == .failed)
        #expect(bench.notes.last?.hasSuffix("it rests for 5 min") == true)
        bench.want { $0.hasSession = false }
        #expect(bench.machine.state == .off && bench.machine.plan(at: bench.now) == nil)
        bench.run(to: 100_000)
        #expect(bench.starts == [0, 950])
        bench.want { $0.hasSession = true }
        #expect(bench.starts.last == 100_000)
        // Nor after a one-shot without a session, however often it failed.
        bench.want { $0 = ReceiverDemand() }
        bench.run(to: 110_000)
        let before = bench.starts.count
        bench.want { $0.hasOneShot = true }
        bench.want { $0.hasOneShot = false }
        bench.run(to: 200_000)
        #expect(bench.starts.count == before + 1 && bench.machine.state == .off)
    }

    @Test("In tier survival a search in vain waits for the next look, and shaking does not bring it forward")
    func survivalFailure() {
        var bench = PowerBench()
        bench.boot()
        bench.want { $0.tier = .survival }
        bench.want { $0.motion = .moving }
        bench.run(to: 3_800)
        #expect(bench.machine.state == .failed && bench.starts.count == 2)
        let failed = bench.rests.last ?? 0
        bench.want { $0.motion = .resting }
        bench.want { $0.motion = .woken }
        bench.run(to: failed + 3_500)
        #expect(bench.starts.count == 2)
        bench.run(to: failed + 3_600)
        #expect(bench.starts.count == 3 && bench.machine.reason == .retry)
        // When the battery is better the usual waits count.
        bench.run(to: failed + 3_800)
        bench.want { $0.tier = .normal }
        let again = Instant(millis: ((bench.rests.last ?? 0) + 600) * 1_000)
        #expect(bench.machine.plan(at: bench.now)?.startAt == again && bench.machine.deadline == again)
    }

    @Test("What wakes by itself is sent back with what is planned by then, not with what was when it went to rest")
    func ownWake() {
        var bench = PowerBench()
        bench.boot()
        #expect(bench.actions.last?.action == .rest(.backup, wakesAfterMillis: 898_000 + 600_000))
        bench.run(to: 852)
        bench.send(.wokeByItself)
        #expect(bench.actions.last?.action == .rest(.backup, wakesAfterMillis: 98_000 + 600_000))
        bench.want { $0.tier = .survival }
        bench.run(to: 1_550)
        bench.send(.wokeByItself)
        let wakesAfterMillis: Int64 = (52 + 21_600 - 28 - 1_550 + 600) * 1_000
        #expect(bench.actions.last?.action == .rest(.backup, wakesAfterMillis: wakesAfterMillis))
        bench.want { $0.hasSession = false }
        bench.send(.wokeByItself)
        #expect(bench.actions.last?.action == .rest(.backup, wakesAfterMillis: nil))
        let count = bench.actions.count
        bench.want { $0.hasSession = true }
        bench.send(.wokeByItself)
        #expect(bench.actions.count == count + 1, "it is on")
    }

    @Test("Shaking brings a retry forward, at most one in 5 min; a running search is not begun anew")
    func burst() {
        var bench = PowerBench()
        bench.boot()
        bench.run(to: 1_015)
        #expect(bench.machine.state == .failed)
        bench.run(to: 1_020)
        bench.want { $0.motion = .woken }
        #expect(bench.starts.last == 1_020)
        bench.want { $0.motion = .resting }
        bench.want { $0.motion = .woken }
        bench.send(.fixWanted)
        bench.send(.startOrdered)
        #expect(bench.starts.last == 1_020, "under way")
        bench.want { $0.motion = .resting }
        bench.run(to: 1_081)
        #expect(bench.machine.state == .failed)
        bench.want { $0.motion = .woken }
        #expect(bench.starts.last == 1_020, "not 61 s after the last")
        bench.want { $0.motion = .resting }
        bench.run(to: 1_321)
        bench.want { $0.motion = .woken }
        #expect(bench.starts.last == 1_321)
    }

    @Test("A shaking starts a resting receiver at once, however short ago the last one was")
    func wake() {
        var bench = PowerBench()
        bench.boot()
        for second in [Int64(100), 170, 240] {
            bench.run(to: second)
            bench.want { $0.motion = .woken }
            #expect(bench.starts.last == second)
            #expect(bench.machine.reason == .woken)
            bench.find(after: 2)
            bench.run(to: second + 60)
            #expect(bench.machine.state == .tracking, "awake for a minute")
            bench.want { $0.motion = .resting }
            #expect(bench.machine.state == .off)
        }
    }

    @Test("Never off while moving, in a one-shot, near a fence unless still, or on an external supply")
    func neverOff() {
        let wishes: [(ReceiverPowerReason, (inout ReceiverDemand) -> Void)] = [
            (.moving, { $0.motion = .moving }), (.oneShot, { $0.hasOneShot = true }),
            (.externalSupply, { $0.isSupplied = true }),
        ]
        for (reason, wish) in wishes {
            var bench = PowerBench()
            bench.boot()
            bench.run(to: 100)
            bench.want(wish)
            #expect(bench.starts.last == 100)
            bench.send(.spoke)
            bench.run(to: 10_000)
            #expect(bench.machine.state == .acquiring, "it searches as long as it is needed")
            bench.send(.fixDetermined(isUsable: true))
            bench.run(to: 20_000)
            #expect(bench.machine.state == .tracking && bench.machine.reason == reason)
            bench.want { $0 = PowerBench().demand }
            #expect(bench.rests.last == 20_000)
        }
        var fence = PowerBench()
        fence.boot()
        fence.want { $0.fences = .near }
        #expect(fence.machine.state == .off, "still")
        fence.still(false)
        fence.run(to: fence.second + 10)
        #expect(fence.machine.state == .off || fence.machine.state == .starting)
        fence.run(to: fence.second + 1)
        fence.still(false)
        #expect(fence.machine.state == .starting && fence.machine.reason == .fenceNear)
        fence.find(after: 2)
        fence.run(to: 5_000)
        #expect(fence.machine.state == .tracking)
        fence.still()
        #expect(fence.machine.state == .off)
    }

    @Test("In tier shutdown it is off, and stays so")
    func shutdown() {
        var bench = PowerBench()
        bench.demand.tier = .shutdown
        bench.boot()
        bench.want { $0.motion = .moving }
        bench.run(to: 1_000_000)
        #expect(bench.starts == [0] && bench.machine.state == .off)
    }

    @Test("In tier survival a device on the move has one fix an hour, and one at rest one in six")
    func survival() {
        var bench = PowerBench()
        bench.demand.tier = .survival
        bench.boot()
        bench.run(to: 2_000)
        bench.want { $0.motion = .woken }
        bench.want { $0.motion = .moving }
        #expect(bench.starts == [0])
        bench.run(to: 3_700)
        #expect(bench.starts.count == 2 && (3_600...3_655).contains(bench.starts[1]))
        bench.find(after: 5)
        bench.run(to: bench.second + 30)
        #expect(bench.machine.state == .off)
    }

    @Test("Without an accelerometer it looks as often as fixes are judged; unrest counts after 10 s, a knock does not")
    func unknown() {
        var bench = PowerBench()
        bench.boot()
        bench.run(to: 200)
        bench.still(false)
        bench.run(to: 205)
        bench.still()
        bench.run(to: 300)
        #expect(bench.starts == [0])
        bench.still(false)
        bench.run(to: 310)
        #expect(bench.starts == [0, 310], "60 s have passed long ago")
        #expect(bench.machine.reason == .interval)
        bench.find(after: 2)
        bench.run(to: 314)
        bench.send(.stillnessLost)
        bench.run(to: 371)
        #expect(bench.starts == [0, 310])
        bench.run(to: 372)
        #expect(bench.starts == [0, 310, 372])
    }

    @Test("Without a session it rests for good, and with fences it looks every 300 s still and 60 s otherwise")
    func fenceDuty() {
        var bench = PowerBench()
        bench.demand.hasSession = false
        bench.boot()
        bench.run(to: 100_000)
        #expect(bench.starts == [0])
        var fenced = PowerBench()
        fenced.demand.hasSession = false
        fenced.demand.fences = .far
        fenced.boot()
        #expect(fenced.machine.plan(at: fenced.now)?.fixAt == Instant(millis: 352_000))
        fenced.send(.stillnessLost)
        #expect(fenced.machine.plan(at: fenced.now)?.fixAt == Instant(millis: 112_000))
        #expect(fenced.machine.plan(at: fenced.now)?.reason == .fenceDuty)
    }

    @Test("Five satellites with ephemeris end the hold; short looks do not renew them, so that one in 2 h holds again")
    func hold() {
        var bench = PowerBench()
        bench.send(.started)
        bench.send(.demandChanged(bench.demand))
        bench.still()
        bench.find(after: 30)
        bench.run(to: 33)
        #expect(bench.machine.state == .holding)
        bench.send(.skyRead(tracked: 5, withEphemeris: 4))
        #expect(bench.machine.state == .holding)
        bench.send(.skyRead(tracked: 5, withEphemeris: 5))
        #expect(bench.machine.state == .off)
        var held: [Int64] = []
        var known = bench.starts.count
        while bench.second < 17_000 {
            bench.run(to: bench.second + 1)
            guard bench.starts.count > known else { continue }
            known = bench.starts.count
            let isHot = bench.machine.startClass == .hot
            bench.find(after: isHot ? 2 : 25)
            bench.run(to: bench.second + 3)
            if bench.machine.state == .holding { held.append(bench.second) }
            #expect((bench.machine.state == .holding) == !isHot)
        }
        #expect(held.count == 2 && (7_200...8_200).contains(held[0]), "\(held)")
    }

    @Test("The time to a first fix is a mean of weight 0.2 for each class; what failed is not in it (F-43)")
    func prediction() {
        var bench = PowerBench()
        bench.boot()
        for seconds in [Int64(10), 20, 5] {
            bench.send(.fixWanted)
            bench.find(after: seconds)
            bench.run(to: bench.second + 3)
            // In vain.
            bench.send(.fixWanted)
            bench.run(to: bench.second + 61)
            bench.send(.startOrdered)
            bench.send(.spoke)
            bench.run(to: bench.second + 61)
            #expect(bench.machine.state == .failed)
            bench.send(.startOrdered)
            bench.find(after: 10)
            bench.run(to: bench.second + 3)
        }
        var mean = 10.0
        for seconds in [10.0, 20, 10, 5, 10] { mean += 0.2 * (seconds - mean) }
        #expect(bench.machine.firstFixMillis(.hot) == Int64((mean * 1_000).rounded()))
    }

    @Test("Fixes that never get good do after 20 s")
    func poor() {
        var bench = PowerBench()
        bench.boot()
        bench.send(.fixWanted)
        for _ in 0..<20 {
            bench.run(to: bench.second + 1)
            bench.send(.fixDetermined(isUsable: false))
            #expect(bench.machine.isSearching)
        }
        bench.run(to: bench.second + 1)
        bench.send(.fixDetermined(isUsable: false))
        #expect(bench.machine.state == .tracking)
    }

    @Test("A receiver that does not rest counts as on, is told so again after an hour, and may then be asked again")
    func refusal() {
        var bench = PowerBench()
        bench.boot()
        bench.send(.restRefused)
        #expect(bench.machine.state == .acquiring && bench.machine.isOn && bench.machine.reason == .restRefused)
        bench.send(.fixDetermined(isUsable: true))
        let at = bench.second
        bench.run(to: at + 3_599)
        #expect(bench.machine.state == .tracking)
        bench.run(to: at + 3_600)
        #expect(bench.machine.state == .off)
        #expect(bench.machine.firstFixMillis(.hot) == nil)
    }

    @Test("One that failed counts as on: its silence is a fault; resting it does not")
    func isOn() {
        var bench = PowerBench()
        bench.boot()
        #expect(!bench.machine.isOn)
        bench.run(to: 1_011)
        #expect(bench.machine.state == .failed && bench.machine.isOn)
    }

    @Test("Whatever happens, in 400 seeds of events: it is on when it must be, searches end, and the states add up")
    func properties() {
        for seed in UInt64(0)..<400 { wild(seed) }
    }

    private func wild(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bench = PowerBench()
        bench.send(.started)
        bench.send(.demandChanged(bench.demand))
        for _ in 0..<150 {
            bench.run(to: bench.second + Int64.random(in: 0...900, using: &random))
            let before = (bench.machine.state, bench.starts.count)
            switch Int.random(in: 0...11, using: &random) {
            case 0: bench.want { $0.motion = [.resting, .woken, .moving].randomElement(using: &random) ?? .resting }
            case 1: bench.want { $0.tier = PowerTier.allCases.randomElement(using: &random) ?? .normal }
            case 2: bench.want { $0.hasOneShot.toggle() }
            case 3: bench.want { $0.fences = [.none, .far, .near].randomElement(using: &random) ?? .none }
            case 4: bench.want { $0.hasSession.toggle() }
            case 5: bench.still(Bool.random(using: &random))
            case 6: bench.send(.stillnessLost)
            case 7: bench.send(.spoke)
            case 8: bench.send(.fixDetermined(isUsable: Bool.random(using: &random)))
            case 9:
                bench.send(
                    .skyRead(
                        tracked: Int.random(in: 0...1, using: &random),
                        withEphemeris: Int.random(in: 0...12, using: &random)))
            case 10: bench.send(.fixWanted)
            default: bench.send(Int.random(in: 0...9, using: &random) == 0 ? .restRefused : .startOrdered)
            }
            let machine = bench.machine
            let states = ReceiverPowerMachine.State.allCases
            let total = states.reduce(Int64(0)) { $0 + machine.millis(in: $1, at: bench.now) }
            #expect(total == bench.now.millis, "seed \(seed)")
            #expect(machine.deadline > bench.now, "seed \(seed): \(machine.state)")
            if before.0 == .starting || before.0 == .acquiring {
                #expect(bench.starts.count == before.1, "seed \(seed): a search begun anew")
            }
            let mustRun = bench.demand.hasOneShot || (bench.demand.motion == .moving && bench.demand.tier < .survival)
            if mustRun { #expect(machine.isOn && machine.state != .failed, "seed \(seed): \(machine.state)") }
            if machine.isSearching, !mustRun, machine.need(at: bench.now) == nil {
                #expect(machine.deadline.millis(since: machine.since) <= 600_000, "seed \(seed)")
            }
        }
    }
}
