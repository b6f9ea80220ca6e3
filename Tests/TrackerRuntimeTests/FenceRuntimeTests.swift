import Ports
import TestKit
import Testing
import TrackerEngine
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Fences in the runtime")
struct FenceRuntimeTests {
    /// The place where `RuntimeBench.epoch(east: 0)` is, with `east` metres added.
    private func fence(
        _ id: String = "home", east: Double = 0, radiusM: Int64 = 100, dwellSeconds: Int64? = nil
    ) -> Geofence {
        Geofence(
            id: id, latitudeE7: 470_500_000, longitudeE7: 83_000_000 + Int32((east / 76_056 * 1e7).rounded()),
            radiusMM: radiusM * 1_000, dwellAfterMillis: dwellSeconds.map { $0 * 1_000 })
    }

    private func told(_ bench: RuntimeBench) -> [String] {
        bench.events.compactMap { event in
            switch event {
            case .geofenceEnter(let crossing), .geofenceExit(let crossing), .geofenceDwell(let crossing):
                "\(crossing.kind.rawValue) \(crossing.fenceID)"
            case .geofenceAdded(let fence): "added \(fence.id)"
            case .geofenceRemoved(let id): "removed \(id)"
            default: nil
            }
        }
    }

    @Test("Armed around the device the entry comes at once, after the fence is known (E-157)")
    func armedAround() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(5, speedMps: 0)
        try bench.runtime.fences.arm(fence())
        #expect(told(bench) == ["added home", "enter home"])
        #expect(bench.status["geofences.armed"] == 1 && bench.status["geofences.inside"] == "home")
    }

    @Test("Raw fixes decide, due or not: entry and exit at the second they happen, with one fix a minute judged")
    func rawFixes() throws {
        let bench = RuntimeBench {
            $0.capture.adaptiveCadence = false
            $0.capture.turnBurst = false
        }
        try bench.runtime.start()
        try bench.runtime.fences.arm(fence(east: 400, radiusM: 80))
        bench.play(50, speedMps: 14)
        #expect(bench.store.points.count < 4)
        #expect(told(bench) == ["added home", "enter home", "exit home"])
        let seconds = bench.store.crossingRows.map { Double($0.time.millis - RuntimeBench.epoch.millis) / 1_000 }
        #expect(abs(seconds[0] - 320 / 14) < 0.1 && abs(seconds[1] - 480 / 14) < 0.1, "\(seconds)")
    }

    @Test("What is mock under 'reject' decides nothing; under 'flag' it does", arguments: [true, false])
    func mock(isRejected: Bool) throws {
        let bench = RuntimeBench { $0.capture.mockPolicy = isRejected ? .reject : .flag }
        try bench.runtime.start()
        try bench.runtime.fences.arm(fence())
        for _ in 0..<5 {
            // Quality 8 and mode S: a simulator.
            let real = bench.epoch(east: 0, speedMps: 0)
            let bodies = real.split(separator: "\r\n").map { line in
                String(line.dropFirst().prefix { $0 != "*" }).split(separator: ",", omittingEmptySubsequences: false)
            }
            for var words in bodies {
                if words[0] == "GNGGA" { words[6] = "8" } else { words[12] = "S" }
                bench.stream.deliver(RuntimeBench.sentence(words.joined(separator: ",")))
            }
            bench.reactor.advance(byMillis: 1_000)
        }
        #expect(bench.runtime.receiver.fixes > 0)
        #expect(told(bench).contains("enter home") == !isRejected)
    }

    @Test("A crossing is stored before anybody hears of it")
    func storedFirst() throws {
        let bench = RuntimeBench()
        var early = 0
        bench.runtime.onEvent = { event in
            guard case .geofenceEnter(let crossing) = event else { return }
            if crossing.id == 0 || !bench.store.crossingRows.contains(crossing) { early += 1 }
            bench.events.append(event)
        }
        try bench.runtime.start()
        bench.play(3, speedMps: 0)
        try bench.runtime.fences.arm(fence())
        #expect(told(bench) == ["enter home"] && early == 0)
    }

    @Test("While the store refuses, crossings wait in order and nobody hears of them; then all are told (F-46)")
    func storeRefuses() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        try bench.runtime.fences.arm(fence(east: 300))
        bench.store.refusal = StoreFailure(code: .full, cause: "the disk is full", remedy: "free space")
        bench.play(40, speedMps: 14)
        #expect(told(bench) == ["added home"] && bench.store.crossingRows.isEmpty)
        #expect(bench.events.contains { if case .error(.storageFull, _) = $0 { true } else { false } })
        bench.store.refusal = nil
        bench.reactor.advance(byMillis: 121_000 + 12_000)
        #expect(told(bench) == ["added home", "enter home", "exit home"])
        #expect(bench.store.crossingRows.map(\.kind) == [.enter, .exit])
    }

    @Test("A fence needs no session: without one it fires just the same (E-169)")
    func withoutSession() throws {
        let reactor = ManualReactor()
        let store = MemoryStore()
        var events: [TrackerEvent] = []
        let keeper = FenceKeeper(
            CaptureConfig(),
            FenceKeeper.Surroundings(
                store: store, reactor: reactor, emit: { events.append($0) }, log: { _, _, _ in },
                utcNow: { UTCTime(millis: reactor.now.millis) }, trustedNow: { nil }, onStationaryLeft: {},
                onFixWanted: {}))
        try keeper.start()
        try keeper.arm(fence(dwellSeconds: 5))
        for _ in 0..<10 {
            reactor.advance(byMillis: 1_000)
            keeper.fixArrived(
                TrackFix(
                    time: UTCTime(millis: reactor.now.millis), instant: reactor.now, receivedAt: reactor.now,
                    coordinate: fence().centre, accuracyM: 5))
        }
        #expect(try store.openSession() == nil)
        #expect(store.crossingRows.map(\.kind) == [.enter, .dwell])
        #expect(store.crossingRows.map(\.time.millis) == [1_000, 6_000])
        #expect(events.count == 3)
        keeper.stop()
        #expect(reactor.timerCount == 0)
    }

    @Test("After the operator has stopped capture fences go on, by fixes, by the timer and in the health loop (E-169)")
    func captureStopped() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(3, speedMps: 0)
        _ = try bench.runtime.stopCapture()
        let points = bench.store.points.count
        try bench.runtime.fences.arm(fence(dwellSeconds: 60))
        bench.reactor.advance(byMillis: 300_000)
        #expect(told(bench) == ["added home", "enter home", "dwell home"])
        bench.play(30, fromEast: 500, speedMps: 14)
        #expect(told(bench).last == "exit home")
        #expect(bench.store.points.count == points && bench.status["session"] == nil)
    }

    @Test("A stay is reported by the timer; without fixes after 30 s, unverified; and nothing is left on the reactor")
    func dwell() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(3, speedMps: 0)
        try bench.runtime.fences.arm(fence("short", dwellSeconds: 20))
        try bench.runtime.fences.arm(fence("long", dwellSeconds: 300))
        bench.play(30, speedMps: 0)
        #expect(told(bench).suffix(2) == ["enter long", "dwell short"])
        bench.reactor.advance(byMillis: 330_000)
        #expect(told(bench).last == "dwell long")
        let (short, long) = (bench.store.crossingRows[2], bench.store.crossingRows[3])
        #expect(!short.isUnverified && long.isUnverified)
        #expect(long.time.millis - bench.store.crossingRows[1].time.millis == 300_000)
        bench.runtime.stop()
        #expect(bench.reactor.timerCount == 0)
    }

    @Test("A restart knows the fences and that it is inside; what was crossed meanwhile is late (E-164)")
    func restart() throws {
        let store = MemoryStore()
        let first = RuntimeBench(store: store)
        try first.runtime.start()
        first.play(3, speedMps: 0)
        try first.runtime.fences.arm(fence())
        try first.runtime.fences.arm(fence("work", east: 5_000))
        let second = RuntimeBench(store: store)
        try second.runtime.start()
        #expect(second.status["geofences.armed"] == 2)
        second.play(3, fromEast: 20, speedMps: 0)
        #expect(told(second).isEmpty)
        let third = RuntimeBench(store: store)
        try third.runtime.start()
        third.play(3, fromEast: 5_000, speedMps: 0)
        #expect(told(third) == ["exit home", "enter work"])
        #expect(store.crossingRows.suffix(2).allSatisfy { $0.isLate })
        #expect(store.crossingRows.suffix(2).allSatisfy { $0.time >= RuntimeBench.epoch })
    }

    @Test("Neither log nor status tells a position")
    func noPositions() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(3, speedMps: 0)
        try bench.runtime.fences.arm(fence())
        #expect(bench.log.lines.contains("fence.enter fence=home"))
        #expect(!bench.log.lines.contains { $0.contains("47.05") || $0.contains("470500000") })
    }

    @Test(
        "Leaving the circle around a stop is movement before a fix is due, unless that is switched off",
        arguments: [true, false])
    func stationaryFence(isUsed: Bool) throws {
        let bench = RuntimeBench { $0.useStationaryFence = isUsed }
        try bench.runtime.start()
        bench.play(60, speedMps: 14)
        bench.play(400, fromEast: 60 * 14, speedMps: 0)
        #expect(bench.status["motion.state"] == "stationary")
        #expect(bench.status["geofences"] == nil)
        // Right after a judged fix, so that the next is 60 s away.
        while bench.store.decisions.last.map({ bench.reactor.now.millis(since: $0.instant) > 2_000 }) ?? true {
            bench.play(1, fromEast: 60 * 14, speedMps: 0)
        }
        // Slower than what is worth a look by itself.
        bench.play(58, fromEast: 60 * 14, speedMps: 2.95)
        #expect((bench.status["motion.state"] == "moving") == isUsed)
        #expect(told(bench).isEmpty && bench.store.crossingRows.isEmpty && bench.store.armedFences.isEmpty)
        bench.play(60, fromEast: 75 * 14, speedMps: 14)
        #expect(bench.status["motion.state"] == "moving")
    }
}
