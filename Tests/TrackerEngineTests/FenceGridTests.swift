import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Fences: thousands of them")
struct FenceGridTests {
    private func anywhere(_ random: inout SeededRandom) -> Coordinate {
        // A third near the poles, a third near ±180°.
        let latitude =
            switch Int.random(in: 0..<3, using: &random) {
            case 0: Double.random(in: 88...90, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            default: Double.random(in: -88...88, using: &random)
            }
        let isSeam = Int.random(in: 0..<3, using: &random) == 0
        let longitude =
            isSeam ? 180 + Double.random(in: -0.5...0.5, using: &random) : Double.random(in: -180...180, using: &random)
        return Coordinate(latitude: latitude, longitude: Geodesic.wrappedDegrees(longitude))
    }

    @Test("The cells of a place name every circle around it, whatever its size and wherever it is (E-172)")
    func complete() {
        for seed in UInt64(1)...40 {
            var random = SeededRandom(seed: seed)
            var grid = FenceGrid()
            let centre = anywhere(&random)
            let radii: [Double] = [5, 100, 3_000, 20_000, 100_000]
            let radius = radii.randomElement(using: &random) ?? 5
            grid.insert(7, centre: centre, radiusM: radius)
            for _ in 0..<200 {
                let azimuth = Double.random(in: 0..<360, using: &random)
                let distance = Double.random(in: 0...radius, using: &random)
                let place = Geodesic.destination(centre, azimuthDeg: azimuth, distanceM: distance)
                let found = grid.slots(from: place, to: place)
                #expect(found.map { $0.contains(7) } ?? true, "seed \(seed): \(radius) m around \(centre), at \(place)")
                let further = Geodesic.destination(place, azimuthDeg: azimuth, distanceM: 300)
                #expect(
                    grid.slots(from: further, to: place).map { $0.contains(7) } ?? true,
                    "seed \(seed): \(radius) m around \(centre), on the way to \(place)")
            }
            grid.remove(7, centre: centre, radiusM: radius)
            #expect(grid.slots(from: centre, to: centre)?.isEmpty ?? true, "seed \(seed)")
        }
    }

    @Test("5 000 fences around a town cost a fix some tens of comparisons, and each is entered (E-170)")
    func cost() {
        var random = SeededRandom(seed: 170)
        var bench = FenceBench()
        for number in 0..<5_000 {
            bench.arm(
                bench.fence(
                    "f\(number)", east: Double.random(in: -25_000...25_000, using: &random),
                    north: Double.random(in: -25_000...25_000, using: &random),
                    radiusM: Double.random(in: 30...500, using: &random)))
        }
        #expect(bench.machine.count == 5_000)
        bench.fix(east: -20_000, speedMps: 15)
        let first = bench.machine.evaluations
        bench.advance(1)
        bench.drive(from: -19_985, to: 20_000, speedMps: 15)
        let fixes = 2_667
        let each = Double(bench.machine.evaluations - first) / Double(fixes)
        #expect(first < 100, "the first fix settles all: \(first)")
        #expect(each < 40, "\(each) a fix")
        // Truth, one by one: circles that the straight way goes through.
        let near = bench.machine.slots.filter { slot in
            let offset = LocalFrame(origin: FenceBench.centre).offset(of: slot.fence.centre)
            return abs(offset.north) < slot.radiusM - 5 && abs(offset.east) < 19_000
        }
        let entered = Set(bench.crossings.filter { $0.kind == .enter }.map(\.fenceID))
        #expect(near.count > 20 && near.allSatisfy { entered.contains($0.fence.id) })
    }

    @Test("10 000 fences at one place are all compared, and no more than once a fix")
    func stacked() {
        var bench = FenceBench()
        for number in 0..<10_000 { bench.arm(bench.fence("f\(number)", radiusM: 100 + Double(number % 50))) }
        bench.fix(east: 0)
        #expect(bench.crossings.count == 10_000)
        #expect(bench.crossings.map(\.fenceID) == bench.crossings.map(\.fenceID).sorted())
        let before = bench.machine.evaluations
        bench.advance(1)
        bench.fix(east: 0)
        #expect(bench.machine.evaluations - before == 10_000)
    }

    @Test("Fences armed and removed ten thousand times leave nothing behind")
    func reuse() {
        var random = SeededRandom(seed: 5)
        var bench = FenceBench()
        for _ in 0..<10_000 {
            let id = "f\(Int.random(in: 0..<50, using: &random))"
            if Bool.random(using: &random) {
                bench.arm(bench.fence(id, east: Double.random(in: -5_000...5_000, using: &random)))
            } else {
                bench.step(.removed(id: id))
            }
        }
        #expect(bench.machine.slots.count <= 51)
        bench.step(.allRemoved)
        #expect(bench.machine.count == 0)
        bench.fix(east: 0)
        #expect(bench.kinds.isEmpty && bench.machine.evaluations == 0)
    }

    @Test("Where many fences are and the way is random, the same is found as with each fence by itself")
    func likeAlone() {
        var found = 0
        for seed in UInt64(1)...3 {
            var random = SeededRandom(seed: seed)
            let fences = (0..<60).map { number in
                FenceBench().fence(
                    "f\(number)", east: Double.random(in: -3_000...3_000, using: &random),
                    north: Double.random(in: -3_000...3_000, using: &random),
                    radiusM: Double.random(in: 10...900, using: &random))
            }
            var path: [(east: Double, north: Double, speed: Double, accuracy: Double)] = []
            var (east, north) = (0.0, 0.0)
            for _ in 0..<1_000 {
                let speed = Double.random(in: 0...40, using: &random)
                let heading = Geodesic.direction(
                    bearingDeg: Double.random(in: 0..<90, using: &random) + Double(path.count / 4))
                east += heading.east * speed
                north += heading.north * speed
                path.append((east, north, speed, Double.random(in: 2...60, using: &random)))
            }
            func run(_ armed: [Geofence]) -> [FenceCrossing] {
                var bench = FenceBench()
                for fence in armed { bench.arm(fence) }
                for place in path {
                    bench.fix(east: place.east, north: place.north, accuracyM: place.accuracy, speedMps: place.speed)
                    bench.advance(1)
                }
                return bench.crossings
            }
            let together = run(fences)
            for fence in fences {
                #expect(together.filter { $0.fenceID == fence.id } == run([fence]), "seed \(seed), \(fence.id)")
            }
            found += together.count
        }
        #expect(found > 25)
    }
}
