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

    /// A start while the store can be neither read nor written, and the store answering again after some fixes.
    private func startWithout(
        _ store: MemoryStore, change: (inout TrackerConfig) -> Void = { _ in },
        meanwhile: (RuntimeBench) throws -> Void = { _ in }
    ) throws -> RuntimeBench {
        let bench = RuntimeBench(store: store, change: change)
        store.refusal = StoreFailure(code: .full, cause: "the card", remedy: "check it")
        store.unreadable = .stopped
        try bench.runtime.start()
        bench.play(30, speedMps: 15)
        try meanwhile(bench)
        store.refusal = nil
        store.unreadable = nil
        bench.play(30, fromEast: 450, speedMps: 15)
        return bench
    }

    @Test("A stopped tracker stays stopped over a start at which the store could not be read")
    func stoppedWithoutStore() throws {
        let store = MemoryStore()
        try store.setState(.stopped, "1")
        let bench = try startWithout(store)
        #expect(store.sessions.isEmpty)
        #expect(store.points.isEmpty)
        #expect(bench.status["session"] == .null || bench.status["session"] == nil)
        #expect(bench.events.last { if case .enabledChange = $0 { true } else { false } } == .enabledChange(false))
        #expect(bench.status["storage.waiting"] == nil)
        #expect(try store.state(.stopped) == "1")
        bench.runtime.stop()
    }

    @Test("Capture that the operator starts while the store cannot be read goes on, whatever the store says then")
    func startedWithoutStore() throws {
        let store = MemoryStore()
        try store.setState(.stopped, "1")
        let bench = try startWithout(
            store, meanwhile: { _ = try $0.answer(Array(#"{"id":1,"op":"start"}"#.utf8)) })
        #expect(store.sessions.count == 1)
        #expect(store.points.contains { $0.acceptReason == .initial })
        #expect(try store.state(.stopped) == "")
        bench.runtime.stop()
    }

    @Test(
        "A session that was left open is ended there, and gone on with in a new one only where the configuration says so",
        arguments: [true, false])
    func leftOpenWithoutStore(resumes: Bool) throws {
        let store = MemoryStore()
        try store.begin(Session(id: "left-open", startedAt: RuntimeBench.epoch))
        let bench = try startWithout(store, change: { $0.resumeOnBoot = resumes })
        #expect(store.sessions.first?.endedAt == RuntimeBench.epoch)
        #expect(store.sessions.count == (resumes ? 2 : 1))
        #expect(store.points.isEmpty == !resumes)
        #expect(try (store.state(.stopped) == "1") == !resumes)
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
