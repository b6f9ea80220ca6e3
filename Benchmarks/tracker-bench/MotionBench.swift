import CAllocationCount
import DeviceSimulator
import MotionSensing
import TrackerModel
import WireText

/// What stillness, steps and activity cost at 50 Hz: walking and driving in turns, samples made before the clock runs.
enum MotionBench {
    private static let hertz: Int64 = 50
    private static let segmentSeconds: Int64 = 30

    static func run(seconds: Int64) -> JSONObject {
        let script = MotionScript([
            .init(.walking, millis: segmentSeconds * 1_000), .init(.driving, millis: segmentSeconds * 1_000),
        ])
        let all = (0..<2 * segmentSeconds * hertz).map { script.acceleration(at: Instant(millis: $0 * 1_000 / hertz)) }
        var detectors = MotionDetectors()
        var findings: Int64 = 0
        let start = Usage.cpuNanos
        let allocated = allocation_count()
        for index in 0..<seconds * hertz {
            let a = all[Int(index) % all.count]
            let sample = MotionSample(instant: Instant(millis: index * 1_000 / hertz), x: a.x, y: a.y, z: a.z)
            let found = detectors.take(sample, countsSteps: true)
            if found.stillness != nil { findings += 1 }
            if found.activity != nil { findings += 1 }
        }
        // Before the answer, which allocates too.
        let (nanos, allocations) = (Usage.cpuNanos - start, allocation_count() - allocated)
        return [
            "samples": .int(seconds * hertz), "cpuNanos": .int(nanos), "findings": .int(findings),
            "allocations": .int(Int64(allocations)), "hertz": .int(hertz),
            "countsAllocations": .bool(DecodeBench.countsAllocations()),
        ]
    }
}
