import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Pulse per second") struct PulseClockTests {
    private let midnight: Int64 = 1_767_225_600_000

    /// A fix of `offset` milliseconds after a full minute, whose first byte came at `firstByte` on the boot clock.
    private func fix(_ offset: Int64, firstByte: Int64, latency: Int64 = 0) -> TrackFix {
        TrackFix(
            time: UTCTime(millis: midnight + offset), instant: Instant(millis: firstByte - latency),
            receivedAt: Instant(millis: firstByte + 20), coordinate: Coordinate(latitudeE7: 0, longitudeE7: 0),
            accuracyM: 3)
    }

    /// Pulses at so many milliseconds of the boot clock.
    private func clock(_ pulses: Int64..., latency: Int64 = 0) -> PulseClock {
        var clock = PulseClock(latencyMillis: latency)
        for pulse in pulses { clock.rose(at: Instant(millis: pulse)) }
        return clock
    }

    @Test(
        "a fix is of the pulse before its first byte, whatever the byte's delay",
        arguments: [40, 180, 620, 990] as [Int64])
    func placed(delay: Int64) {
        var clock = clock(10_300, 11_300)
        #expect(clock.place(fix(2_000, firstByte: 11_300 + delay)).instant.millis == 11_300)
        #expect(clock.placed == 1)
    }

    @Test("the configured latency is taken back before") func latency() {
        var clock = clock(10_300, 11_300, latency: 200)
        #expect(clock.place(fix(2_000, firstByte: 11_400, latency: 200)).instant.millis == 11_300)
    }

    @Test("a fix between the seconds is of the pulse and its part of the second") func tenHertz() {
        var clock = clock(10_300, 11_300)
        #expect(clock.place(fix(2_700, firstByte: 12_080)).instant.millis == 12_000)
        // Its second has ended, and the next pulse was there already.
        clock.rose(at: Instant(millis: 12_300))
        #expect(clock.place(fix(2_900, firstByte: 12_310)).instant.millis == 12_200)
    }

    @Test("one pulse is no rhythm, and spikes do not end one") func spikes() {
        var alone = clock(10_300)
        #expect(alone.place(fix(2_000, firstByte: 10_400)).instant.millis == 10_400)
        var spiked = clock(10_300, 11_300, 11_750, 12_300)
        #expect(spiked.place(fix(3_000, firstByte: 12_400)).instant.millis == 12_300)
        #expect(spiked.place(fix(2_000, firstByte: 11_900)).instant.millis == 11_300)
    }

    @Test("E-029: when the pulses stop, fixes are of their first byte again, less than half a second from before")
    func lost() {
        var clock = clock(10_300, 11_300, 12_300)
        var before = Instant(millis: 11_300)
        for second in 3...20 as ClosedRange<Int64> {
            let moment = clock.place(fix(second * 1_000, firstByte: 9_300 + second * 1_000 + 180)).instant
            #expect(abs(moment.millis(since: before) - 1_000) < 500)
            before = moment
        }
        #expect(clock.placed == 1)
    }

    @Test("another rhythm after a pause is believed with its second pulse") func newRhythm() {
        var clock = clock(10_300, 11_300, 60_100, 61_100)
        #expect(clock.place(fix(1_000, firstByte: 61_200)).instant.millis == 61_100)
    }

    @Test("the runtime places its fixes on the pulses of the line") func runtime() throws {
        let bench = RuntimeBench { $0.pulseLine = "P" }
        try bench.runtime.start()
        for _ in 0..<30 {
            bench.lines.drive(true, line: "P")
            bench.reactor.advance(byMillis: 100)
            bench.lines.drive(false, line: "P")
            bench.stream.deliver(bench.epoch(east: 0, speedMps: 0))
            bench.reactor.advance(byMillis: 900)
        }
        let row = bench.status["lines"]?.arrayValue?.first
        #expect(row?["key"] == "gnss.pps")
        let placed = row?["state"]?.stringValue?.split(separator: " ").first.flatMap { Int($0) }
        #expect(placed ?? 0 >= 25, "\(row?.text ?? "no row")")
    }
}
