import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("What the receiver does while the device moves (gnss.whileMoving)")
struct ReceiverWhileMovingTests {
    /// Underway with a fix every two minutes, the receiver at rest after its first one.
    private func travelling(_ whileMoving: ReceiverWhileMoving, intervalMillis: Int64 = 120_000) -> PowerBench {
        var bench = PowerBench(ReceiverPowerRules(whileMoving: whileMoving))
        bench.demand.intervalMillis = intervalMillis
        bench.boot()
        bench.run(to: 900)
        bench.still(false)
        bench.want { $0.motion = .moving }
        return bench
    }

    @Test(
        "Rest: it is on for the judged fixes alone, a second before each, and off with the fix where no fence needs two"
    )
    func rests() {
        var bench = travelling(.rest)
        bench.run(to: 910)
        #expect(bench.machine.isOn, "ten seconds of unrest, and the last look was long ago")
        let begun = bench.starts.count
        for _ in 0..<10 {
            bench.find(after: 2)
            bench.want { $0.wasSeenMoving = true }
            #expect(bench.machine.state == .off)
            bench.run(to: bench.machine.deadline.millis / 1_000 + 1)
        }
        let starts = bench.starts.suffix(bench.starts.count - begun)
        #expect(starts.count == 10)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { (120...122).contains($1 - $0) }, "\(starts)")
    }

    @Test(
        "Rest: where it came to a stop is looked up when the next fix is due; then it is looked at like any that is still"
    )
    func stop() {
        var bench = travelling(.rest)
        bench.run(to: 910)
        bench.find(after: 2)
        bench.want { $0.wasSeenMoving = true }
        bench.still()
        bench.want { $0.motion = .resting }
        let looks = bench.starts.count
        bench.run(to: bench.second + 125)
        #expect(bench.starts.count == looks + 1)
        bench.find(after: 2)
        bench.want { $0.wasSeenMoving = false }
        bench.run(to: bench.second + 600)
        #expect(bench.starts.count == looks + 1)
    }

    @Test("Rest: fixes less than 30 s apart, a fence that is near, a one-shot and a session without a point keep it on")
    func staysOn() {
        #expect(travelling(.rest, intervalMillis: 12_000).machine.need(at: Instant(millis: 900_000)) == .moving)
        let changes: [((inout ReceiverDemand) -> Void, ReceiverPowerReason)] = [
            ({ $0.fences = .near }, .fenceNear), ({ $0.hasOneShot = true }, .oneShot),
            ({ $0.hasPoint = false }, .moving),
        ]
        for (change, reason) in changes {
            var bench = travelling(.rest)
            bench.run(to: 920)
            bench.find(after: 2)
            bench.want(change)
            #expect(bench.machine.need(at: bench.now) == reason)
            bench.run(to: 1_900)
            #expect(bench.machine.isOn)
        }
    }

    @Test("Rest: a search in vain is repeated when the next fix is due while it moves, and waits while it is still")
    func retries() {
        for isStill in [false, true] {
            var bench = travelling(.rest)
            bench.run(to: 910)
            bench.send(.spoke)
            bench.run(to: 975)
            #expect(bench.machine.state == .failed)
            if isStill { bench.still() }
            let failedAt = bench.second
            let starts = bench.starts.count
            bench.run(to: failedAt + 250)
            #expect(bench.starts.count == starts + (isStill ? 0 : 1))
            bench.run(to: failedAt + 302)
            #expect(bench.starts.count > starts)
        }
    }

    @Test(
        "Cyclic tracking: by wish or by tier, only while it moves, has its fix and nothing else wants it good",
        arguments: [
            (ReceiverWhileMoving.auto, PowerTier.normal, false), (.auto, .saver, true), (.auto, .critical, true),
            (.track, .critical, false), (.cyclic, .normal, true), (.rest, .normal, true),
        ])
    func cyclic(whileMoving: ReceiverWhileMoving, tier: PowerTier, isCyclic: Bool) {
        var bench = travelling(whileMoving, intervalMillis: 12_000)
        bench.want { $0.tier = tier }
        #expect(!bench.machine.mayTrackCyclically(at: bench.now), "it has no fix yet")
        bench.find(after: 2)
        bench.run(to: bench.second + 1)
        #expect(bench.machine.mayTrackCyclically(at: bench.now) == isCyclic)
        let hindrances: [(inout ReceiverDemand) -> Void] = [
            { $0.fences = .near }, { $0.hasOneShot = true }, { $0.isSupplied = true }, { $0.intervalMillis = 4_000 },
            { $0.motion = .woken },
        ]
        for hinder in hindrances {
            var hindered = bench
            hindered.want(hinder)
            #expect(!hindered.machine.mayTrackCyclically(at: hindered.now))
        }
    }

    @Test(
        "Without a single satellite a search ends after a sixth of its time, is repeated once in 5 min, then by the hour"
    )
    func roof() {
        var bench = PowerBench()
        bench.boot()
        var failed: [Int64] = []
        for _ in 0..<4 {
            bench.run(to: bench.machine.deadline.millis / 1_000 + 1)
            bench.run(to: bench.second + 1)
            bench.send(.spoke)
            bench.send(.skyRead(tracked: 0, withEphemeris: 0))
            while bench.machine.state == .acquiring { bench.run(to: bench.second + 1) }
            failed.append(bench.second)
        }
        #expect(
            bench.notes.prefix(2) == [
                "receiver_no_signal: not a satellite in 10 s; it rests for 5 min",
                "receiver_no_signal: not a satellite in 10 s; it rests for 60 min",
            ])
        let waits = zip(failed, failed.dropFirst()).map { $1 - $0 }
        #expect(waits.first.map { (300...312).contains($0) } == true && waits.dropFirst().allSatisfy { $0 >= 3_600 })
    }

    @Test(
        "One satellite is enough for the whole time; where a look is due more rarely than by the hour, so is the next try"
    )
    func patience() {
        var bench = PowerBench(ReceiverPowerRules(backstopMillis: 21_600_000))
        bench.boot()
        bench.run(to: bench.machine.deadline.millis / 1_000 + 1)
        bench.send(.spoke)
        bench.send(.skyRead(tracked: 0, withEphemeris: 0))
        bench.run(to: bench.second + 5)
        bench.send(.skyRead(tracked: 1, withEphemeris: 0))
        bench.send(.skyRead(tracked: 0, withEphemeris: 0))
        bench.run(to: bench.second + 100)
        #expect(bench.machine.state == .acquiring, "a warm search, 120 s")
        for _ in 0..<5 {
            bench.run(to: bench.machine.deadline.millis / 1_000 + 1)
            if bench.machine.state == .starting { bench.run(to: bench.machine.deadline.millis / 1_000 + 1) }
        }
        while bench.notes.count < 5 { bench.run(to: bench.machine.deadline.millis / 1_000 + 1) }
        #expect(bench.notes.last?.hasSuffix("it rests for 360 min") == true, "\(bench.notes)")
    }
}
