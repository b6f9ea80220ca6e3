import TestKit
import Testing
import TrackerGeo
import TrackerModel

@Suite("Places from the earth's centre")
struct GeocentricPositionTests {
    @Test("Distances agree with the geodesic: within 2 cm up to 100 km, within 1 mm up to 10 km")
    func distances() {
        for seed in UInt64(1)...20 {
            var random = SeededRandom(seed: seed)
            for _ in 0..<200 {
                let from = Coordinate(
                    latitude: Double.random(in: -90...90, using: &random),
                    longitude: Double.random(in: -180...180, using: &random))
                let longest = [10, 1_000, 10_000, 100_000].randomElement(using: &random) ?? 10
                let to = Geodesic.destination(
                    from, azimuthDeg: Double.random(in: 0..<360, using: &random),
                    distanceM: Double.random(in: 0...Double(longest), using: &random))
                let exact = Geodesic.distanceM(from, to)
                let error = abs(GeocentricPosition(from).distanceM(to: GeocentricPosition(to)) - exact)
                #expect(error < (longest > 10_000 ? 0.02 : 0.001), "seed \(seed): \(error) m of \(exact)")
            }
        }
    }

    @Test("Far away is far: never below 200 km, up to the antipode")
    func far() {
        let here = GeocentricPosition(Coordinate(latitude: 12, longitude: 34))
        for (latitude, longitude) in [(12.0, 37.0), (80, 34), (-12, -146), (-90, 0)] {
            let there = GeocentricPosition(Coordinate(latitude: latitude, longitude: longitude))
            #expect(here.distanceM(to: there) > 200_000)
        }
    }

    @Test("Chord and arc are each other's inverse")
    func chords() {
        for metres in [0.0, 5, 1_000, 100_000, 200_000] {
            let back = GeocentricPosition.arcM(ofChord: GeocentricPosition.chordM(ofArc: metres))
            #expect(abs(back - metres) < 1e-4)
        }
    }
}
