import GNSSCodecs
import Ports
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("The receiver's line, with a receiver at its other end")
struct ReceiverRecoveryTests {
    private func receiver(_ bench: RuntimeBench, _ field: String) -> JSONValue? { bench.status["receiver.\(field)"] }
    private func diagnostics(_ bench: RuntimeBench) -> [String] {
        bench.events.compactMap { if case .diagnostic(let text) = $0 { text } else { nil } }
    }

    /// Advances until the receiver is locked; seconds it took, or `nil` after `limit`.
    private func secondsToLock(_ bench: RuntimeBench, limit: Int) -> Double? {
        for tenth in 0...limit * 10 {
            if bench.runtime.receiver.finder.isLocked { return Double(tenth) / 10 }
            bench.reactor.advance(byMillis: 100)
        }
        return nil
    }

    @Test("Twenty starts of twenty lock in one sweep", arguments: ReceiverFinder.rates)
    func everyRate(baud: Int) throws {
        for start in 0..<20 {
            let bench = RuntimeBench()
            let device = ScriptedReceiver(bench, baud: baud, phaseMillis: Int64(start) * 50 + 3, seed: UInt64(start))
            try bench.runtime.start()
            #expect(secondsToLock(bench, limit: 12) != nil, "start \(start)")
            #expect(receiver(bench, "baud")?.intValue == Int64(baud))
            withExtendedLifetime(device) {}
        }
    }

    @Test("A receiver reset to 9 600 in the middle of a run is followed within 7 s, in the same session (E-005)")
    func reset() throws {
        let bench = RuntimeBench()
        let device = ScriptedReceiver(bench, baud: 115_200)
        device.identity = ReceiverCareTests.m8
        try bench.runtime.start()
        bench.reactor.advance(byMillis: 60_000)
        #expect(receiver(bench, "state")?.stringValue == "fix3D")
        #expect(receiver(bench, "configured")?.stringValue == "yes")
        device.baud = 9_600
        bench.reactor.advance(byMillis: 4_000)
        let seconds = try #require(secondsToLock(bench, limit: 20))
        #expect(seconds + 4 <= 7)
        bench.reactor.advance(byMillis: 15_000)
        #expect(receiver(bench, "baud")?.intValue == 9_600)
        #expect(receiver(bench, "state")?.stringValue == "fix3D")
        #expect(bench.store.sessions.count == 1)
        #expect(diagnostics(bench).contains { $0.hasPrefix("receiver_reconfigured") })
    }

    @Test("After a restart of the daemon alone the last good speed is tried first (F-13)")
    func remembered() throws {
        let store = MemoryStore()
        let first = RuntimeBench(store: store)
        let device = ScriptedReceiver(first, baud: 460_800)
        try first.runtime.start()
        first.reactor.advance(byMillis: 15_000)
        #expect(device.understood == 0)
        let second = RuntimeBench(store: store)
        let same = ScriptedReceiver(second, baud: 460_800)
        try second.runtime.start()
        second.reactor.advance(byMillis: 2_500)
        #expect(second.stream.settings == ["/dev/scripted@460800"])
        #expect(receiver(second, "state")?.stringValue == "fix3D")
        withExtendedLifetime(same) {}
    }

    @Test(
        "What was remembered of another port, or is damaged, is not used",
        arguments: ["{\"port\":\"/dev/x\",\"baud\":4800}", "{", ""])
    func foreignMemory(text: String) throws {
        let store = MemoryStore()
        try store.setState(.receiver, text)
        let bench = RuntimeBench(store: store)
        try bench.runtime.start()
        #expect(bench.stream.settings == ["/dev/scripted@9600"])
    }

    @Test("Jitter of 300 ms and a gap of 2.5 s keep the lock (F-14)")
    func jitter() throws {
        let bench = RuntimeBench()
        let device = ScriptedReceiver(bench, baud: 9_600, seed: 14)
        device.jitterMillis = 300
        try bench.runtime.start()
        for _ in 0..<20 {
            bench.reactor.advance(byMillis: 20_000)
            device.isSilent = true
            bench.reactor.advance(byMillis: 1_900)
            device.isSilent = false
        }
        #expect(bench.stream.settings == ["/dev/scripted@9600"])
    }

    @Test("Garbage after opening is ignored and a lost first command repeated (F-16)")
    func firstBytes() throws {
        let bench = RuntimeBench()
        let device = ScriptedReceiver(bench, baud: 9_600, phaseMillis: 300)
        device.identity = ReceiverCareTests.m8
        device.deafness = 1
        try bench.runtime.start()
        device.noise(32)
        bench.reactor.advance(byMillis: 8_000)
        #expect(bench.stream.settings == ["/dev/scripted@9600"])
        #expect(receiver(bench, "family")?.stringValue == "ublox")
        #expect(receiver(bench, "model")?.stringValue == "NEO-M8N")
        #expect(receiver(bench, "configured")?.stringValue == "yes")
    }

    @Test("Ten fixes a second do not fit 9 600 bit/s: the receiver and the line go to 115 200 together")
    func faster() throws {
        let bench = RuntimeBench { $0.gnssRateHz = 10 }
        let device = ScriptedReceiver(bench, baud: 9_600)
        device.identity = ReceiverCareTests.m8
        try bench.runtime.start()
        bench.reactor.advance(byMillis: 10_000)
        #expect(device.baud == 115_200)
        #expect(receiver(bench, "baud")?.intValue == 115_200)
        #expect(receiver(bench, "configured")?.stringValue == "yes")
    }

    @Test("A generic receiver is polled three times and otherwise left alone; nothing is sent before frames came")
    func harmless() throws {
        let bench = RuntimeBench()
        let device = ScriptedReceiver(bench, baud: 4_800)
        var early = 0
        let take = bench.stream.onWrite
        bench.stream.onWrite = { bytes in
            if !bench.runtime.receiver.finder.isLocked { early += 1 }
            take?(bytes)
        }
        try bench.runtime.start()
        bench.reactor.advance(byMillis: 60_000)
        #expect(early == 0)
        #expect(bench.stream.written.count == 3)
        #expect(receiver(bench, "family")?.stringValue == "generic")
        withExtendedLifetime(device) {}
    }

    @Test("Console text is named with its remedy, and the fixes still flow (F-17)")
    func console() throws {
        let bench = RuntimeBench()
        let device = ScriptedReceiver(bench, baud: 9_600)
        try bench.runtime.start()
        bench.reactor.advance(byMillis: 5_000)
        #expect(receiver(bench, "consoleText") == nil)
        device.suffix = "raspberrypi login: "
        bench.reactor.advance(byMillis: 2_000)
        #expect(receiver(bench, "consoleText")?.stringValue == "raspberrypi login: ")
        device.suffix = "[   12.345678] usb 1-1: new full-speed USB device\r\n"
        let before = bench.runtime.receiver.fixes
        bench.reactor.advance(byMillis: 10_000)
        #expect(receiver(bench, "problem")?.stringValue?.contains("serial-getty@") == true)
        #expect(receiver(bench, "problem")?.stringValue?.contains("console=") == true)
        #expect(receiver(bench, "state")?.stringValue == "fix3D")
        #expect(bench.runtime.receiver.fixes >= before + 9)
        #expect(diagnostics(bench).count { $0.hasPrefix("uart_console") } == 1)
        device.suffix = ""
        bench.reactor.advance(byMillis: 601_000)
        #expect(receiver(bench, "problem") == nil)
    }

    @Test("Sentences, texts of receivers and noise are no console text")
    func noConsole() {
        var console = ReceiverConsoleText()
        var random = SeededRandom(seed: 17)
        for text in [
            "$GNTXT,01,01,02,u-blox AG - www.u-blox.com*4E\r\n", "[x.3] y\r\n", "[12] usb\r\n", "[.] a bcd\r\n",
            "log in:\r\n",
        ] {
            let isNew = console.feed(Array(text.utf8), at: .zero)
            #expect(!isNew, "\(text)")
        }
        for _ in 0..<2_000 {
            let bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &random) }
            let isNew = console.feed(bytes, at: .zero)
            #expect(!isNew)
        }
        let isNew = console.feed(Array("$GPGGA,12[   12.3] usb 1-1: x\r\n".utf8), at: .zero)
        #expect(isNew, "a sentence cut short")
    }

    @Test("The port goes and comes back after 8 s: same session, the gap is seen, points go on (E-006, F-19)")
    func portReturns() throws {
        let bench = RuntimeBench()
        let device = ScriptedReceiver(bench, baud: 38_400)
        try bench.runtime.start()
        bench.reactor.advance(byMillis: 30_000)
        bench.stream.refusal = ByteStreamFailure(code: .absent, cause: "/dev/scripted is gone", remedy: "plug it in")
        bench.stream.unplug()
        #expect(receiver(bench, "state")?.stringValue == "silent")
        bench.reactor.advance(byMillis: 8_000)
        bench.stream.refusal = nil
        // The by-id link leads elsewhere now; the stream knows it by another name.
        bench.stream.candidates = ["/dev/serial/by-id/x"]
        bench.reactor.advance(byMillis: 12_000)
        #expect(receiver(bench, "device")?.stringValue == "/dev/serial/by-id/x")
        #expect(receiver(bench, "state")?.stringValue == "fix3D")
        #expect(receiver(bench, "baud")?.intValue == 38_400)
        #expect(bench.stream.settings.last == "/dev/serial/by-id/x@38400")
        #expect(bench.store.sessions.count == 1)
        withExtendedLifetime(device) {}
    }

    @Test("Of several ports the one with the receiver is found and is first the next time (E-007)")
    func severalPorts() throws {
        let store = MemoryStore()
        let bench = RuntimeBench(store: store)
        bench.stream.candidates = ["/dev/a", "/dev/b", "/dev/c"]
        func feed(_ bench: RuntimeBench) {
            if bench.stream.name == "/dev/c", bench.stream.baud == 9_600 {
                bench.stream.deliver(bench.epoch(east: 0, speedMps: 0))
            }
        }
        try bench.runtime.start()
        for _ in 0..<60 {
            bench.reactor.advance(byMillis: 1_000)
            feed(bench)
        }
        #expect(receiver(bench, "state")?.stringValue == "fix3D")
        let again = RuntimeBench(store: store)
        again.stream.candidates = ["/dev/a", "/dev/b", "/dev/c"]
        try again.runtime.start()
        #expect(again.stream.settings == ["/dev/c@9600"])
    }

    @Test("Fixes that arrive ever later are dropped and the backlog is named (E-008)")
    func backlog() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(10, speedMps: 0)
        var late: [String] = []
        // Two epochs a second are sent, one a second gets through.
        for _ in 0..<10 {
            late.append(bench.epoch(east: 0, speedMps: 0))
            bench.reactor.advance(byMillis: 1_000)
            if late.count % 2 == 0 { bench.stream.deliver(late[late.count / 2 - 1]) }
        }
        for index in 5..<10 {
            bench.stream.deliver(late[index])
            bench.reactor.advance(byMillis: 1_000)
        }
        #expect(diagnostics(bench).count { $0.hasPrefix("uart_backlog") } == 1)
        #expect(receiver(bench, "lateFixes")?.intValue ?? 0 >= 5)
        #expect(receiver(bench, "problem")?.stringValue?.contains("late") == true)
        #expect(receiver(bench, "state")?.stringValue == "noFix")
        bench.play(5, speedMps: 0)
        #expect(receiver(bench, "state")?.stringValue == "fix3D")
        #expect(receiver(bench, "problem") == nil)
    }

    @Test("A burst after a pause, a slow drift and a step of the receiver's clock are no backlog (E-048)")
    func noBacklog() {
        func fix(_ receivedMillis: Int64, _ utcMillis: Int64) -> TrackFix {
            TrackFix(
                time: UTCTime(millis: utcMillis), instant: Instant(millis: receivedMillis),
                receivedAt: Instant(millis: receivedMillis), coordinate: Coordinate(latitudeE7: 1, longitudeE7: 1),
                accuracyM: 5)
        }
        var burst = ReceiverBacklog()
        var drops = (0..<10).count { burst.isLate(fix(Int64($0) * 1_000, Int64($0) * 1_000)) }
        drops += (10..<16).count { burst.isLate(fix(16_000, Int64($0) * 1_000)) }
        drops += (16..<30).count { burst.isLate(fix(Int64($0) * 1_000 + 50, Int64($0) * 1_000)) }
        #expect(drops == 0)
        var drift = ReceiverBacklog()
        // 200 ppm for a day.
        drops = (0..<86_400).count { drift.isLate(fix(Int64($0) * 1_000 + Int64($0) / 5, Int64($0) * 1_000)) }
        #expect(drops == 0)
        var step = ReceiverBacklog()
        drops = (0..<100).count { step.isLate(fix(Int64($0) * 1_000, Int64($0) * 1_000 - ($0 < 50 ? 0 : 18_000))) }
        #expect(drops == 0)
    }

    @Test("Antenna open and short are shown and told once, jamming is shown, and no fix comes of it (E-023)")
    func antenna() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(5, speedMps: 0)
        #expect(receiver(bench, "health") == nil)
        let fixes = bench.runtime.receiver.fixes
        for state in [AntennaState.ok, .open, .open, .short, .ok] {
            bench.runtime.receiver.take(.health(ReceiverHealth(antenna: state)))
        }
        bench.runtime.receiver.take(.health(ReceiverHealth(jamming: 210)))
        #expect(receiver(bench, "health.antenna")?.stringValue == "ok")
        #expect(receiver(bench, "health.jamming")?.intValue == 210)
        #expect(diagnostics(bench) == ["gnss_antenna: open", "gnss_antenna: short", "gnss_antenna: ok"])
        #expect(bench.runtime.receiver.fixes == fixes)
    }
}
