import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Fences: recorded places")
struct FenceDataTests {
    @Test(
        "Of a hundred caches each is inside of exactly the circles around the others that reach it",
        .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
    func allenCounty() throws {
        let text = try #require(SharedData.text("geofence/allen-county/points.csv"))
        let places = text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line -> Coordinate? in
            let words = line.split(separator: ",")
            guard words.count > 2, let latitude = Double(words[1]), let longitude = Double(words[2]) else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        #expect(places.count == 100)
        for radius in [100.0, 2_000, 30_000] {
            for place in places {
                var bench = FenceBench()
                for (number, centre) in places.enumerated() {
                    bench.arm(
                        Geofence(
                            id: "\(number)", latitudeE7: centre.latitudeE7, longitudeE7: centre.longitudeE7,
                            radiusMM: Int64(radius * 1_000)))
                }
                bench.step(
                    .fixDetermined(
                        TrackFix(
                            time: bench.utc, instant: bench.now, receivedAt: bench.now, coordinate: place, accuracyM: 5)
                    ))
                let reaching = places.indices.filter { Geodesic.distanceM(places[$0], place) <= radius }.map { "\($0)" }
                #expect(bench.machine.insideIDs == reaching.sorted(), "\(radius) m, \(place)")
            }
        }
    }
}
