import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("The runtime and its store")
struct StorageTests {
    /// Beside the one that tells of the bench's missing accelerometer.
    private func errors(_ bench: RuntimeBench) -> [ErrorCode] {
        bench.events.compactMap { if case .error(let code, _) = $0 { code } else { nil } }
            .filter { $0 != .motionDetectionDegraded }
    }

    private func diagnostics(_ bench: RuntimeBench) -> [String] {
        bench.events.compactMap { if case .diagnostic(let text) = $0 { text } else { nil } }
    }

    @Test("What the store did on its own account is told: a reset, what was salvaged, what was shed (E-141, E-142)")
    func notices() throws {
        let bench = RuntimeBench()
        var report = SalvageReport(file: "tracker.db.damaged-1")
        report.points = 498
        report.lostPoints = 2
        report.percent = 100
        bench.store.upkeep = [
            StoreUpkeep(notices: [.reset(cause: "page 7.", setAside: "tracker.db.damaged-1")], isUnfinished: true),
            StoreUpkeep(notices: [.salvaged(report)]),
            StoreUpkeep(notices: [.low(freeBytes: 5_000_000), .shed(12)]),
            StoreUpkeep(notices: [.roomAgain]),
        ]
        try bench.runtime.start()
        #expect(errors(bench) == [.storageReset])
        // More of it was due: not at the next health tick, but soon.
        bench.reactor.advance(byMillis: 1_000)
        #expect(diagnostics(bench).contains { $0.contains("498 points") && $0.contains("2 points lost") })
        #expect(bench.status["storage.salvage.lostPoints"]?.intValue == 2)
        #expect(bench.store.upkeep.count == 2)
        bench.reactor.advance(byMillis: 300_000)
        #expect(errors(bench) == [.storageReset, .storageFull])
        #expect(diagnostics(bench).contains("queue_shed:12"))
        #expect(diagnostics(bench).contains("storage_room_again"))
        bench.runtime.stop()
    }

    @Test(
        "At a start on a read-only or full file system capture goes on in memory, and is stored when that ends (E-140)",
        arguments: [StoreFailure.Code.readOnly, .full, .io])
    func refusedStart(code: StoreFailure.Code) throws {
        let bench = RuntimeBench()
        bench.store.refusal = StoreFailure(code: code, cause: "the card", remedy: "check it")
        try bench.runtime.start()
        bench.play(30, speedMps: 15)
        #expect(bench.store.points.isEmpty)
        #expect(bench.store.sessions.isEmpty)
        #expect(bench.status["storage.state"]?.stringValue == "degraded")
        #expect(errors(bench).contains(.storageFull))
        let waiting = try #require(bench.status["storage.waiting"]?.intValue)
        #expect(waiting > 0)
        bench.store.refusal = nil
        bench.play(30, fromEast: 450, speedMps: 15)
        #expect(bench.store.sessions.count == 1)
        #expect(bench.store.points.contains { $0.acceptReason == .initial })
        #expect(bench.status["storage.state"]?.stringValue == "ok")
        #expect(bench.status["storage.waiting"] == nil)
        bench.runtime.stop()
    }

    @Test("Status counts what was written")
    func written() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.store.writes.commits = 26
        bench.store.writes.bytes = 1_000_000
        bench.reactor.advance(byMillis: 21_600_000)
        #expect(bench.status["storage.written.commits"]?.intValue == 26)
        #expect(bench.status["storage.written.bytesPerDay"]?.intValue == 4_000_000)
        bench.runtime.stop()
    }
}
