import Testing
import TrackerModel

@testable import DeviceSimulator

@Suite("Motion script")
struct MotionScriptTests {
    @Test("Comments, blanks and line ends are free; the text form reads back alike")
    func parsing() throws {
        let script = try MotionScript(text: "# a drive\r\nstill 7200\n\n  driving\t12.5 # to work\nfault 5")
        #expect(
            script.segments == [
                .init(.still, millis: 7_200_000), .init(.driving, millis: 12_500), .init(.fault, millis: 5_000),
            ])
        #expect(try MotionScript(text: script.text) == script)
    }

    @Test(
        "A mistake is named with its line",
        arguments: [
            ("still 10\nflying 5", 2), ("still", 1), ("still x", 1), ("# c\n\nstill -1", 3), ("still 5 6", 1),
            ("still nan", 1), ("still 1e300", 1), ("walking 0", 1), ("", 0), ("# nothing", 0),
        ])
    func mistakes(text: String, line: Int) {
        #expect { _ = try MotionScript(text: text) } throws: { ($0 as? ScriptFailure)?.line == line }
    }

    @Test("Segments follow one another, and after the last its activity goes on")
    func segments() throws {
        let script = try MotionScript(text: "still 10\nwalking 5\nfault 2\nstill 1")
        let expected: [(Int64, MotionScript.Activity)] = [
            (0, .still), (9_999, .still), (10_000, .walking), (15_000, .fault), (17_000, .still), (99_000, .still),
        ]
        for (millis, activity) in expected { #expect(script.activity(at: Instant(millis: millis)) == activity) }
        #expect(script.movement(at: Instant(millis: 16_000)) == .walking, "a bus fault does not stop the walk")
    }

    @Test(
        "Every activity shakes as hard as it should",
        arguments: [
            (MotionScript.Activity.still, 0.001...0.006), (.idle, 0.008...0.013), (.walking, 0.15...0.22),
            (.driving, 0.045...0.11), (.vibration, 0.09...0.12),
        ])
    func deviation(activity: MotionScript.Activity, range: ClosedRange<Double>) {
        let script = MotionScript([.init(activity, millis: 1_000)])
        let magnitudes = (0..<3_000).map { index -> Double in
            let a = script.acceleration(at: Instant(millis: Int64(index) * 20))
            return (a.x * a.x + a.y * a.y + a.z * a.z).squareRoot()
        }
        let mean = magnitudes.reduce(0, +) / Double(magnitudes.count)
        let square = magnitudes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(magnitudes.count)
        #expect(range.contains(square.squareRoot()), "deviation \(square.squareRoot()) g")
        #expect(abs(mean - 1) < 0.03)
    }

    @Test("A walk has 1.8 steps a second: that many rises through the mean")
    func steps() {
        let script = MotionScript([.init(.walking, millis: 1_000)])
        var rises = 0
        var wasHigh = true
        for index in 0..<6_000 {
            let z = script.acceleration(at: Instant(millis: Int64(index) * 20)).z
            if !wasHigh, z > 1.06 { rises += 1 }
            if z > 1.06 { wasHigh = true } else if z < 0.92 { wasHigh = false }
        }
        #expect((211...221).contains(rises), "\(rises) in 120 s")
    }

    @Test("The same seed gives the same samples, another seed others")
    func seeds() {
        let time = Instant(millis: 12_340)
        let segment = MotionScript.Segment(.driving, millis: 1_000)
        let one = MotionScript([segment], seed: 1).acceleration(at: time)
        #expect(one == MotionScript([segment], seed: 1).acceleration(at: time))
        #expect(one != MotionScript([segment], seed: 2).acceleration(at: time))
    }
}
