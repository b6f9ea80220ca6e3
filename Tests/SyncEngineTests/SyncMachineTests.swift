import Testing
import TrackerModel

@testable import SyncEngine

@Suite("When to upload")
struct SyncMachineTests {
    private func machine(_ change: (inout SyncConfig) -> Void = { _ in }) -> SyncMachine {
        var config = SyncConfig()
        config.url = "https://example.org"
        change(&config)
        return SyncMachine(config, deviceID: "test")
    }

    private func at(_ seconds: Int64) -> Instant { Instant(millis: seconds * 1_000) }

    @Test("The first point after quiet goes at once; later ones once per coalescing interval")
    func coalescing() {
        var sync = machine()
        #expect(sync.pointCommitted(at(100)) == .drain)
        #expect(sync.pointCommitted(at(101)) == .nothing)
        #expect(sync.exchangeFinished(.confirmed(rows: 1), more: false, at(102)) == .nothing)
        #expect(sync.deadline == at(160))
        #expect(sync.timerFired(at(160)) == .drain)
    }

    @Test("A drain goes on while rows remain, one exchange at a time")
    func draining() {
        var sync = machine()
        #expect(sync.backlogNoticed(at(0)) == .drain)
        #expect(sync.backlogNoticed(at(0)) == .nothing)
        #expect(sync.exchangeFinished(.confirmed(rows: 100), more: true, at(1)) == .drain)
        #expect(sync.exchangeFinished(.confirmed(rows: 20), more: false, at(2)) == .nothing)
        #expect(sync.deadline == at(60))
    }

    @Test("Failures wait 30, 60, 120 … 1 800 s ± 20 %, and a success starts over (E-182)")
    func backoff() {
        var sync = machine()
        var now: Int64 = 0
        _ = sync.pointCommitted(at(now))
        for expected in [30, 60, 120, 240, 480, 960, 1_800, 1_800] as [Int64] {
            #expect(sync.exchangeFinished(.refused("500"), more: true, at(now)) == .nothing)
            let wait = sync.deadline.millis - now * 1_000
            #expect((expected * 800...expected * 1_200).contains(wait))
            #expect(sync.pointCommitted(at(now + 1)) == .nothing, "a trigger does not shorten a wait")
            now = sync.deadline.millis / 1_000 + 1
            #expect(sync.timerFired(at(now)) == .drain)
        }
        _ = sync.exchangeFinished(.confirmed(rows: 1), more: true, at(now))
        _ = sync.exchangeFinished(.refused("500"), more: true, at(now))
        #expect(sync.deadline.millis - now * 1_000 <= 36_000)
    }

    @Test("Two devices do not retry in step")
    func jitter() {
        var a = JitterSource(seed: "a")
        var b = JitterSource(seed: "b")
        let first = (0..<50).map { _ in a.nextPercent() }
        let second = (0..<50).map { _ in b.nextPercent() }
        #expect(first != second)
        #expect(first.allSatisfy { (-20...20).contains($0) } && Set(first).count > 10)
    }

    @Test("Without an endpoint, or without autoSync, nothing is attempted")
    func off() {
        var none = machine { $0.url = nil }
        #expect(none.pointCommitted(at(0)) == .nothing && none.deadline == .never)
        var manual = machine { $0.autoSync = false }
        #expect(manual.pointCommitted(at(0)) == .nothing && manual.deadline == .never)
    }

    @Test("An empty queue ends a drain and clears the back-off")
    func empty() {
        var sync = machine()
        _ = sync.backlogNoticed(at(0))
        sync.queueEmpty()
        #expect(sync.deadline == .never)
        #expect(sync.pointCommitted(at(61)) == .drain)
    }
}
