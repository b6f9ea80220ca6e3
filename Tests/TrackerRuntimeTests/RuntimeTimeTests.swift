import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("The receiver's time for the host's clock")
struct RuntimeTimeTests {
    private final class RecordingTimeSink: TimeSink {
        let name = "/run/chrony.test.sock"
        var samples: Int64 { Int64(offers.count) }
        var problem: String?
        var offers: [(utc: UTCTime, instant: Instant)] = []
        var isClosed = false
        func offer(_ utc: UTCTime, at instant: Instant) { offers.append((utc, instant)) }
        func close() { isClosed = true }
    }

    private func makeRuntime(_ bench: RuntimeBench, _ sink: any TimeSink) -> Runtime {
        Runtime(
            config: TrackerConfig(), host: HostFacts(bootID: "boot-1", version: "test", processID: 1, timeScale: 1),
            ports: RuntimePorts(
                reactor: bench.reactor, stream: bench.stream, store: bench.store, log: bench.log,
                digests: FakeDigests(), calendar: FakeCalendar(), timeSink: sink),
            freshSessionID: "session-2")
    }

    @Test("Every dated fix is offered with the instant at which it held, and status counts them")
    func offered() throws {
        let bench = RuntimeBench()
        let sink = RecordingTimeSink()
        let runtime = makeRuntime(bench, sink)
        try runtime.start()
        bench.play(10, speedMps: 0)
        #expect(sink.offers.count >= 9)
        for offer in sink.offers {
            #expect(offer.utc.millis - RuntimeBench.epoch.millis == offer.instant.millis)
        }
        #expect(runtime.status()["clock.chrony.samples"]?.intValue == sink.samples)
        sink.problem = "no chronyd; start it"
        #expect(StatusPage.text(runtime.status()).contains("no chronyd; start it"))
        runtime.stop()
        #expect(sink.isClosed)
    }

    @Test("An epoch without a fix, or a simulated one, tells no time")
    func refused() throws {
        let bench = RuntimeBench()
        let sink = RecordingTimeSink()
        let runtime = makeRuntime(bench, sink)
        try runtime.start()
        for _ in 0..<5 {
            bench.stream.deliver(bench.epoch(east: 0, speedMps: 0, valid: false))
            bench.reactor.advance(byMillis: 1_000)
        }
        for second in 0..<5 {
            let time = "08000\(second).00"
            let place = "4703.000000,N,00818.000000,E"
            // Quality 8 and mode S: a simulator (NMEA 0183, GGA field 6, RMC field 12).
            bench.stream.deliver(
                RuntimeBench.sentence("GNGGA,\(time),\(place),8,10,0.8,450.0,M,48.0,M,,")
                    + RuntimeBench.sentence("GNRMC,\(time),A,\(place),0.0,90.0,040526,,,S"))
            bench.reactor.advance(byMillis: 1_000)
        }
        #expect(sink.offers.isEmpty)
    }
}
