import DeviceSimulator
import Testing
import TrackerEngine
import TrackerModel

@Suite("Acceptance: on foot")
struct WalkTests {
    private func config(_ seconds: Int) -> CaptureConfig {
        var config = CaptureConfig.everyFix()
        config.intervalMillis = Int64(seconds) * 1_000
        return config
    }

    @Test(
        "A-06: a walk to lunch and back is held, then has points on both legs and one arrival at each end, at every cadence"
    )
    func lunch() {
        let scenario = TrackScenario.lunch()
        for seconds in [1, 4, 12, 60] {
            var counts: [Int] = []
            var faults = ""
            for seed in 1...20 {
                let run = EngineRun(SimulatedTrack(scenario, everyMillis: 1_000, seed: UInt64(seed)), config(seconds))
                counts.append(run.points.count)
                for (index, trip) in scenario.trips.enumerated() {
                    // Slowing down takes the last two seconds.
                    let on = run.points(from: trip.from, until: trip.until - 2)
                    let after = run.points(from: trip.until - 2, until: trip.until + 1_200)
                    let arrivals = after.count { $0.reason == .arrival }
                    let ends = after.count { $0.reason == .walkArrival }
                    let early = on.count { $0.reason == .arrival || $0.reason == .walkArrival }
                    let held = run.decisions.first {
                        $0.instant.second >= trip.from && [.departureHeld, .movingWalking].contains($0.reason)
                    }
                    if held?.reason != .departureHeld || on.isEmpty || arrivals != 1 || ends != 1 || early != 0 {
                        faults +=
                            " seed \(seed) leg \(index): \(on.count) on the way, \(arrivals) Arrival, \(ends) Walk Arrival, \(early) early;"
                    }
                }
            }
            let isRight = seconds != 60 || counts.allSatisfy { (11...15).contains($0) }
            let ok = AcceptanceTable.record(
                "A-06", "lunch at \(seconds) s, 20 seeds",
                "\(span(counts)) points\(faults.isEmpty ? ", both legs, first held, one Arrival and one Walk Arrival at each end" : ";" + faults.prefix(90))",
                limit: (seconds == 60 ? "13 +- 2" : "both legs")
                    + "; held, then accepted; arrivals 1 each, at the ends",
                passed: isRight && faults.isEmpty)
            #expect(ok, "\(counts)\(faults)")
        }
    }

    @Test("A-07: car, stop, on foot, stop, car: no leg is empty, whatever the receiver's speed says")
    func mixed() {
        let scenario = TrackScenario.mixed
        for hasDoppler in [true, false] {
            var least = Int.max
            for seed in 1...20 {
                let noise = hasDoppler ? TrackNoise() : TrackNoise().withoutDoppler()
                let run = EngineRun(
                    SimulatedTrack(scenario, noise, everyMillis: 1_000, seed: UInt64(seed)), CaptureConfig())
                for trip in scenario.trips {
                    least = min(least, run.points(from: trip.from, until: trip.until).count)
                }
            }
            let ok = AcceptanceTable.record(
                "A-07", "mixed trip, default tiers, \(hasDoppler ? "with" : "without") speed, 20 seeds",
                "at least \(least) points a leg", limit: ">= 1", passed: least >= 1)
            #expect(ok)
        }
    }

    /// Every fix of a receiver that is slow, and a receiver of 1 Hz at the default tiers.
    @Test("A-08, E-078: behind a lift the first coarse fixes are held, and a trusted one confirms them")
    func lift() {
        for (name, interval, config) in [
            ("every fix at 1 s", 1, CaptureConfig.everyFix()), ("every fix at 12 s", 12, .everyFix()),
            ("1 Hz, default tiers", 1, CaptureConfig()),
        ] {
            var faults = ""
            for seed in 1...20 {
                let track = SimulatedTrack(.lift, everyMillis: Int64(interval) * 1_000, seed: UInt64(seed))
                let run = EngineRun(track, config)
                let after = run.decisions.filter { $0.instant.second >= 840 }
                let held = after.prefix { $0.reason == .recoveryHeld }.count
                let first = run.points(from: 601, until: 1_700).first
                if held == 0 || after.dropFirst(held).first?.reason != .recoveryConfirmed
                    || first?.reason != .recoveryConfirmed
                {
                    faults += " seed \(seed): \(after.prefix(4).map(\.reason.rawValue));"
                }
            }
            let ok = AcceptanceTable.record(
                "A-08", "lift gap of 240 s, 120 m, 38 m accuracy, \(name), 20 seeds",
                faults.isEmpty ? "held, then confirmed, in all" : String(faults.prefix(120)),
                limit: "held, then confirmed", passed: faults.isEmpty)
            #expect(ok, "\(faults)")
        }
    }

    @Test("E-061: a walk of 780 m is stored at every sampling interval, with measured speed and without")
    func everyCadence() {
        for seconds in [1, 2, 4, 8, 12, 30, 60] {
            for hasDoppler in [true, false] {
                let counts = (1...20).map { seed in
                    let noise = hasDoppler ? TrackNoise() : TrackNoise().withoutDoppler()
                    let track = SimulatedTrack(.walk780, noise, everyMillis: Int64(seconds) * 1_000, seed: UInt64(seed))
                    return EngineRun(track, .everyFix()).points.count - 1
                }
                let ok = AcceptanceTable.record(
                    "E-061",
                    "780 m walk at \(seconds < 10 ? "0" : "")\(seconds) s, \(hasDoppler ? "with" : "without") speed, 20 seeds",
                    "\(span(counts)) points", limit: ">= 3", passed: counts.allSatisfy { $0 >= 3 })
                #expect(ok, "\(counts)")
            }
        }
    }
}
