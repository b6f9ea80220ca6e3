import TestKit
import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Fences: whether a boundary is near")
struct FenceNearnessTests {
    @Test("Within 500 m of a boundary, from inside and from outside; the circle around a stop does not count")
    func near() {
        var bench = FenceBench()
        #expect(!bench.machine.isBoundaryNear(withinM: 500))
        bench.arm(bench.fence("far", east: 3_000, radiusM: 1_000))
        #expect(!bench.machine.isBoundaryNear(withinM: 500), "no fix yet")
        let ways = [(1_490.0, false), (1_510, true), (2_490, true), (2_510, false), (3_000, false), (4_490, true)]
        for (east, isNear) in ways {
            bench.advance(60)
            bench.fix(east: east)
            #expect(bench.machine.isBoundaryNear(withinM: 500) == isNear, "\(east)")
        }
        var stop = FenceBench()
        stop.fix(east: 0)
        stop.step(.stationaryArmed(FenceBench.centre, radiusM: 150))
        #expect(!stop.machine.isBoundaryNear(withinM: 500))
    }

    @Test(
        "Also beyond ±180° and near a pole",
        arguments: [Coordinate(latitude: 10, longitude: 179.999), Coordinate(latitude: 89.99, longitude: 20)])
    func edges(origin: Coordinate) {
        var bench = FenceBench(origin: origin)
        bench.arm(bench.fence("near", east: 400, radiusM: 100))
        bench.arm(bench.fence("large", east: 0, radiusM: 50_000))
        bench.fix(east: 0)
        #expect(bench.machine.isBoundaryNear(withinM: 500))
        // So near to a pole the bench's flat metres are too long to tell.
        if origin.latitude < 80 { #expect(!bench.machine.isBoundaryNear(withinM: 250)) }
    }
}
