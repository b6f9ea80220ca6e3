import TestKit
import Testing
import TrackerModel

@testable import TrackerGeo

@Suite("Geodesics")
struct GeodesicTests {
    @Test(
        "Distances agree with the spec's vectors to 2 mm",
        arguments: [
            (51.5007, -0.1246, 51.5007, -0.12316, 99.993), (-0.1807, -78.4678, -0.1717, -78.4678, 995.169),
            (59.9139, 10.7522, 59.9229, 10.7522, 1_002.698), (51.5007, -0.1246, 48.8584, 2.2945, 340_894.816),
            (37.629538, -122.395733, 40.628083, -73.768254, 4_164_327.256), (0, 0, 0, 90, 10_018_754.171),
            (90, 0, 0, 0, 10_001_965.729),
        ] as [(Double, Double, Double, Double, Double)])
    func vectors(lat1: Double, lon1: Double, lat2: Double, lon2: Double, metres: Double) {
        let from = Coordinate(latitude: lat1, longitude: lon1)
        let to = Coordinate(latitude: lat2, longitude: lon2)
        #expect(abs(Geodesic.distanceM(from, to) - metres) < 0.002)
    }

    @Test(
        "Every published geodesic agrees within 50 nm, azimuths within the length's last digits, and back again",
        .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
    func published() throws {
        let text = try #require(SharedData.text("geodesic/GeodTest-short.subset.dat"))
        var checked = 0
        var worst = 0.0
        var worstDirect = 0.0
        for line in text.split(separator: "\n") {
            let v = line.split(separator: " ").compactMap { Double($0) }
            let from = Coordinate(latitude: v[0], longitude: v[1])
            let to = Coordinate(latitude: v[3], longitude: v[4])
            worst = max(worst, abs(Geodesic.distanceM(from, to) - v[6]))
            let end = Geodesic.destination(from, azimuthDeg: v[2], distanceM: v[6])
            worstDirect = max(worstDirect, Geodesic.distanceM(end, to))
            checked += 1
        }
        #expect(checked == 5_000)
        #expect(worst < 50e-9, "\(worst) m")
        #expect(worstDirect < 100e-9, "\(worstDirect) m")
    }

    /// The short formula takes over below some kilometres, beside the poles and across the date line the whole solution.
    @Test("Short lines agree with the whole solution, everywhere and at every length")
    func short() {
        var random = SeededRandom(seed: 7)
        var shortLines = 0
        for scale in [1e-7, 1e-5, 1e-3, 0.049, 0.2] {
            for index in 0..<4_000 {
                let edge = [90.0, -90, 80, -80][index % 4]
                let latitude = index % 3 == 0 ? edge : Double.random(in: -90...90, using: &random)
                let longitude = index % 5 == 0 ? 180 : Double.random(in: -180...180, using: &random)
                let from = Coordinate(latitude: latitude, longitude: longitude)
                let to = Coordinate(
                    latitude: min(90, max(-90, latitude + Double.random(in: -scale...scale, using: &random))),
                    longitude: Geodesic.wrappedDegrees(longitude + Double.random(in: -scale...scale, using: &random)))
                let difference = abs(Geodesic.distanceM(from, to) - Geodesic.exactDistanceM(from, to))
                #expect(difference < 50e-9, "\(from) to \(to), seed 7")
                let east = Geodesic.wrappedDegrees(to.longitude - from.longitude)
                if ShortLine.distanceM(lat1: from.latitude, lat2: to.latitude, lonDifference: east) != nil {
                    shortLines += 1
                }
            }
        }
        #expect(shortLines > 8_000)
    }

    @Test("Antipodes, poles and the equator have their closed forms")
    func special() {
        func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
            Coordinate(latitude: latitude, longitude: longitude)
        }
        #expect(abs(Geodesic.distanceM(point(90, 0), point(-90, 30)) - 20_003_931.458_625) < 1e-5)
        #expect(abs(Geodesic.distanceM(point(0, 0), point(0, 180)) - 20_003_931.458_625) < 1e-5)
        #expect(abs(Geodesic.distanceM(point(0, 0), point(0, 179)) - 6_378_137 * 179 * .pi / 180) < 1e-5)
        #expect(Geodesic.azimuthDeg(point(10, 20), point(11, 20)) == 0)
        #expect(abs(Geodesic.azimuthDeg(point(0, 0), point(0, -1)) - 270) < 1e-12)
    }

    @Test("Across the date line a step is short, and bearings point the short way")
    func dateLine() {
        let from = Coordinate(latitude: -17, longitude: 179.999)
        let to = Coordinate(latitude: -17, longitude: -179.999)
        #expect(Geodesic.distanceM(from, to) < 220)
        #expect(abs(Geodesic.bearingDeg(from, to) - 90) < 0.1)
        #expect(Geodesic.bearingDeg(from, from) == 0)
    }

    @Test("The local frame inverts itself and agrees with the geodesic near its origin")
    func localFrame() {
        for latitude in [-89.95, -45.0, 0, 47.1, 60] {
            let frame = LocalFrame(origin: Coordinate(latitude: latitude, longitude: 179.9999))
            let there = frame.position(east: 300, north: -400)
            let back = frame.offset(of: there)
            #expect(abs(back.east - 300) < 1e-4 && abs(back.north + 400) < 1e-4)
            if abs(latitude) < 80 { #expect(abs(Geodesic.distanceM(frame.origin, there) - 500) < 0.05) }
        }
    }
}
