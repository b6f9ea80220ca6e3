import DeviceSimulator
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("A tracker whose receiver rests, in simulated time")
struct ReceiverPowerReplayTests {
    @Test("A stationary day: the receiver is on for less than 3 % of it, and one point is stored")
    func stationaryDay() throws {
        let bench = try LiveBench(motion: "still 90000")
        try bench.runtime.start()
        bench.run(86_400)
        print(bench.runtime.status()["receiver"]!.text, bench.diagnostics, Double(bench.stream.awakeMillis) / 864_000)
        #expect(bench.points.count == 1)
        #expect(Double(bench.stream.awakeMillis) < 0.03 * 86_400_000)
        #expect(bench.errors.isEmpty)
    }
}
