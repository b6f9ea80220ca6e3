import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("The receiver's line")
struct ReceiverLinkTests {
    private func receiver(_ bench: RuntimeBench) -> JSONValue? { bench.status["receiver"] }

    @Test("A missing port is reported with a remedy and tried again after 1, 2, 5, 10, 30, 30 s")
    func absent() throws {
        let bench = RuntimeBench()
        bench.stream.refusal = ByteStreamFailure(code: .absent, cause: "/dev/x does not exist", remedy: "plug it in")
        try bench.runtime.start()
        #expect(receiver(bench)?["problem"]?.stringValue == "/dev/x does not exist; plug it in")
        for (seconds, opens) in [(1.2, 2), (2.3, 3), (5.6, 4), (11, 5), (33, 6), (33, 7)] {
            bench.reactor.advance(byMillis: Int64(seconds * 1_000))
            #expect(bench.stream.opens == opens)
        }
        bench.stream.refusal = nil
        while bench.stream.handler == nil { bench.reactor.advance(byMillis: 1_000) }
        bench.play(3, speedMps: 0)
        #expect(receiver(bench)?["problem"] == nil)
        #expect(receiver(bench)?["state"]?.stringValue == "fix3D")
    }

    @Test("Unplugged in the middle of a sentence: opened again, same session, the half sentence does no harm (E-006)")
    func unplugged() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(20, speedMps: 14)
        bench.stream.deliver(String(bench.epoch(east: 280, speedMps: 14).prefix(30)))
        bench.stream.unplug()
        #expect(receiver(bench)?["state"]?.stringValue == "silent")
        bench.reactor.advance(byMillis: 2_000)
        bench.play(60, fromEast: 22 * 14, speedMps: 14)
        #expect(receiver(bench)?["state"]?.stringValue == "fix3D")
        #expect(bench.store.sessions.count == 1)
        #expect(bench.store.decisions.allSatisfy { $0.reason != .invalidCoordinates })
    }

    @Test("Ten seconds without a sentence is silence: reported, closed, opened again")
    func silence() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(5, speedMps: 0)
        bench.reactor.advance(byMillis: 11_000)
        #expect(receiver(bench)?["state"]?.stringValue == "silent")
        #expect(receiver(bench)?["problem"]?.stringValue?.contains("fell silent") == true)
        #expect(bench.events.contains(.providerChange(.silent)))
        bench.reactor.advance(byMillis: 2_000)
        #expect(bench.stream.opens == 2)
    }

    @Test("Bytes without sentences name the baud rate, found or fixed", arguments: [nil, 38_400])
    func wrongBaud(baud: Int?) throws {
        let bench = RuntimeBench { $0.gnssBaud = baud }
        try bench.runtime.start()
        for _ in 0..<11 {
            bench.stream.handler?(.bytes([0x80, 0xFF, 0x24, 0x00, 0x37]))
            bench.reactor.advance(byMillis: 1_000)
        }
        #expect(receiver(bench)?["problem"]?.stringValue?.contains("gnss.baud") == true)
    }

    @Test("After the last fix the state goes to no fix within three epochs, and the age grows (F-02)")
    func lostFix() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(5, speedMps: 0)
        for _ in 0..<3 {
            bench.stream.deliver(bench.epoch(east: 0, speedMps: 0, valid: false))
            bench.reactor.advance(byMillis: 1_000)
        }
        #expect(receiver(bench)?["state"]?.stringValue == "noFix")
        #expect(bench.status["position"] == nil)
    }
}
