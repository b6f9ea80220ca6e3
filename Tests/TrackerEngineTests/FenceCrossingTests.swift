import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Fences: when, and how often")
struct FenceCrossingTests {
    @Test("Armed around the device: the entry comes at once, from a fix of up to 10 s ago (E-157)")
    func armedAround() {
        var bench = FenceBench()
        bench.fix(east: 20)
        bench.advance(10)
        bench.arm(bench.fence())
        #expect(bench.told == ["enter 60.0"], "it has the time of the arming")
        #expect(bench.fixRequests == 0)
        #expect(bench.crossings.first?.isLate == false)
    }

    @Test("Armed without a fresh fix: one is asked for, and the first valid one decides (E-157)")
    func armedBlind() {
        var bench = FenceBench()
        bench.fix(east: 20)
        bench.advance(10.001)
        bench.arm(bench.fence())
        #expect(bench.kinds.isEmpty && bench.fixRequests == 1)
        bench.advance(3_600)
        bench.fix(east: 20)
        #expect(bench.told == ["enter 3660.001"])
        #expect(bench.crossings.first?.isLate == false)
    }

    @Test("Armed again under the same id: moved, no second entry while inside, an exit when it is elsewhere (E-158)")
    func armedAgain() {
        var bench = FenceBench()
        bench.fix(east: 0, speedMps: 4_000)
        bench.arm(bench.fence())
        bench.arm(bench.fence(east: 30), latest: bench.crossings.last)
        #expect(bench.kinds == [.enter])
        bench.arm(bench.fence(east: 3_000), latest: bench.crossings.last)
        #expect(bench.kinds == [.enter, .exit])
        #expect(bench.machine.count == 1)
        bench.advance(1)
        bench.fix(east: 3_000, speedMps: 4_000)
        #expect(bench.kinds == [.enter, .exit, .enter])
        #expect(bench.crossings.last?.latitudeE7 == bench.fence(east: 3_000).latitudeE7)
    }

    @Test("An entry that was not reported is made up for when the fence is armed again and asks for it")
    func silentEntry() throws {
        var bench = FenceBench()
        bench.fix(east: 0)
        bench.arm(bench.fence(onEntry: false))
        let silent = try #require(bench.crossings.last)
        #expect(!silent.isNotified)
        bench.arm(bench.fence(), latest: silent)
        #expect(bench.crossings.map(\.isNotified) == [false, true])
    }

    @Test("What is removed is not watched; removing what is not there changes nothing (E-159)")
    func removed() {
        var bench = FenceBench()
        bench.arm(bench.fence("a"))
        bench.arm(bench.fence("b"))
        bench.step(.removed(id: "c"))
        bench.step(.removed(id: "a"))
        bench.fix(east: 0)
        #expect(bench.crossings.map(\.fenceID) == ["b"])
        bench.step(.allRemoved)
        bench.advance(1)
        bench.fix(east: 500, speedMps: 500)
        #expect(bench.kinds == [.enter] && bench.machine.count == 0)
    }

    @Test("A pass at 30 m/s through a circle of 80 m at 1 Hz is an entry and an exit, at the right times (E-161)")
    func fastPass() throws {
        var bench = FenceBench()
        bench.arm(bench.fence(radiusM: 80))
        let start = bench.utc
        bench.drive(from: -500, to: 500, speedMps: 30)
        #expect(bench.kinds == [.enter, .exit])
        let seconds = bench.crossings.map { Double($0.time.millis - start.millis) / 1_000 }
        #expect(abs(seconds[0] - 420 / 30) < 0.01, "\(seconds)")
        #expect(abs(seconds[1] - 580 / 30) < 0.01, "\(seconds)")
    }

    @Test(
        "The same with fixes 4, 8 and 12 s apart, none of them inside: both, interpolated (E-162)",
        arguments: [4.0, 8, 12])
    func passWithinOneStep(every: Double) {
        var bench = FenceBench()
        bench.arm(bench.fence(radiusM: 40))
        let start = bench.utc
        // A fix right and left of it.
        let half = 30 * every / 2
        bench.drive(from: -half - 30 * every, to: half + 30 * every, speedMps: 30, every: every)
        #expect(bench.kinds == [.enter, .exit])
        let middle = 1.5 * every
        let seconds = bench.crossings.map { Double($0.time.millis - start.millis) / 1_000 }
        #expect(abs(seconds[0] - (middle - 40.0 / 30)) < 0.01, "\(seconds)")
        #expect(abs(seconds[1] - (middle + 40.0 / 30)) < 0.01, "\(seconds)")
    }

    @Test("A way that only grazes the circle, takes longer than 12.5 s, or is no movement, is no pass")
    func noPass() {
        var grazing = FenceBench()
        grazing.arm(grazing.fence(radiusM: 40))
        grazing.drive(from: -360, to: 360, north: 36, speedMps: 30, every: 8)
        #expect(grazing.kinds.isEmpty, "it comes no nearer than r - m")
        var slow = FenceBench()
        slow.arm(slow.fence(radiusM: 40))
        slow.drive(from: -585, to: 585, speedMps: 30, every: 13)
        #expect(slow.kinds.isEmpty)
        var parked = FenceBench()
        parked.arm(parked.fence(radiusM: 10))
        for index in 0..<100 {
            parked.fix(east: index.isMultiple(of: 2) ? 15 : -15, accuracyM: 15, speedMps: 0.4)
            parked.advance(1)
        }
        #expect(parked.kinds.isEmpty)
    }

    @Test("After a longer gap a crossing has the time of the fix that decides it")
    func afterGap() {
        var bench = FenceBench()
        bench.arm(bench.fence())
        bench.fix(east: 300, speedMps: 5)
        bench.advance(60)
        bench.fix(east: 10, speedMps: 5)
        #expect(bench.told == ["enter 110.0"])
        #expect(bench.crossings.last?.isLate == false)
        bench.advance(600)
        bench.fix(east: 300, speedMps: 5)
        #expect(bench.told == ["enter 110.0", "exit 710.0"])
        #expect(bench.crossings.last?.isLate == true, "nobody watched for ten minutes")
    }

    @Test("A slow exit has the time at which the line was crossed, not that of the proof")
    func slowExit() {
        var bench = FenceBench()
        bench.fix(east: 0, speedMps: 1)
        bench.arm(bench.fence())
        bench.advance(1)
        let start = bench.utc
        bench.drive(from: 90, to: 120, speedMps: 1)
        #expect(bench.kinds == [.enter, .exit])
        #expect(bench.crossings.last?.time.millis == start.millis + 10_000)
    }

    @Test("Crossed while off: at the first valid fix, late, with its time (E-164)")
    func whileOff() {
        var bench = FenceBench()
        let (near, far) = (bench.fence("near"), bench.fence("far", east: 5_000))
        bench.arm(near)
        bench.arm(far)
        bench.fix(east: 0)
        #expect(bench.crossings.map(\.fenceID) == ["near"])
        var next = bench.restarted(after: 3_600, [near, far])
        #expect(next.fixRequests == 1)
        next.advance(20)
        next.fix(east: 5_000, accuracyM: 120)
        #expect(next.kinds.isEmpty, "too coarse to prove anything")
        next.advance(1)
        next.fix(east: 5_000)
        let time = next.utc
        #expect(
            next.crossings.map { "\($0.kind.rawValue) \($0.fenceID) \($0.isLate)" } == [
                "enter far true", "exit near true",
            ])
        #expect(next.crossings.allSatisfy { $0.time == time })
        // What comes after it is seen as it happens.
        for east in [4_990.0, 4_700] {
            next.advance(1)
            next.fix(east: east, speedMps: 300)
        }
        #expect(next.kinds == [.enter, .exit, .exit] && next.crossings.last?.isLate == false)
    }

    @Test("A restart inside says nothing, also on the line")
    func restartInside() {
        var bench = FenceBench()
        let fence = bench.fence()
        bench.arm(fence)
        bench.fix(east: 95)
        for first in [0.0, 95, 108] {
            var next = bench.restarted(after: 3_600, [fence])
            next.advance(5)
            next.fix(east: first, speedMps: 0)
            next.stay(60, east: 95)
            #expect(next.kinds.isEmpty, "first fix at \(first)")
        }
    }

    @Test("Rows of another hand are watched without harm, and without sense")
    func foreignRows() {
        var bench = FenceBench()
        for (latitude, radius) in [(Int32.max, Int64.max / 2), (Int32.min, -1), (470_500_000, 0)] {
            var fence = bench.fence(dwellSeconds: Geofence.longestDwellMillis / 1_000)
            (fence.latitudeE7, fence.longitudeE7, fence.radiusMM) = (latitude, latitude, radius)
            for time in [Int64.max, .min, 0] {
                let entry = FenceCrossing(fence, .enter, at: UTCTime(millis: time))
                bench.step(.restored([ArmedFence(fence: fence, armedAt: UTCTime(millis: time), latest: entry)]))
                bench.step(.dwellsDue(trusted: bench.utc))
                bench.advance(1)
                bench.fix(east: 0)
            }
        }
        #expect(bench.machine.count == 1)
    }

    @Test("Across ±180° and at the poles nothing is different (E-172)")
    func edges() {
        let places = [
            Coordinate(latitude: -17, longitude: 180), Coordinate(latitude: -17, longitude: -179.9999),
            Coordinate(latitude: 65, longitude: 179.9999), Coordinate(latitude: 89.9995, longitude: 12),
            Coordinate(latitude: -89.95, longitude: -100), Coordinate(latitude: 90, longitude: 0),
        ]
        for place in places {
            var bench = FenceBench(origin: place)
            bench.arm(
                Geofence(
                    id: "here", latitudeE7: place.latitudeE7, longitudeE7: place.longitudeE7, radiusMM: 100_000))
            for offset in stride(from: -200.0, through: 200, by: 10) {
                let azimuth = offset < 0 ? 270.0 : 90
                let position = Geodesic.destination(place, azimuthDeg: azimuth, distanceM: abs(offset))
                bench.step(
                    .fixDetermined(
                        TrackFix(
                            time: bench.utc, instant: bench.now, receivedAt: bench.now, coordinate: position,
                            accuracyM: 5, speedMps: 10)))
                bench.advance(1)
            }
            #expect(bench.kinds == [.enter, .exit], "\(place)")
            let seconds = bench.crossings.map { Double($0.time.millis - FenceBench.epoch.millis) / 1_000 - 50 }
            #expect(abs(seconds[0] - 10) < 0.02 && abs(seconds[1] - 30) < 0.02, "\(place): \(seconds)")
        }
    }

    @Test("The circle around a stop reports its exit to the motion machine alone, as long as it is left")
    func stationary() {
        var bench = FenceBench()
        bench.step(.stationaryArmed(FenceBench.centre, radiusM: 150))
        #expect(bench.machine.count == 0 && bench.machine.insideIDs.isEmpty)
        bench.stay(60, east: 30)
        #expect(bench.stationaryExits == 0)
        bench.drive(from: 30, to: 190, speedMps: 8)
        #expect(bench.stationaryExits > 1)
        bench.step(.allRemoved)
        bench.fix(east: 200, speedMps: 8)
        let before = bench.stationaryExits
        bench.step(.stationaryDisarmed)
        bench.advance(1)
        bench.fix(east: 210, speedMps: 8)
        #expect(before > 2 && bench.stationaryExits == before)
        #expect(bench.kinds.isEmpty)
    }
}
