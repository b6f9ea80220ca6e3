import Testing
import TrackerModel
import TrackerRuntime

@Suite("Sky as text")
struct SkyPageTests {
    private let sky = SkyView(
        satellites: [
            .init(constellation: .gps, number: 5, elevationDeg: 90, azimuthDeg: 0, cn0DBHz: 50, isUsed: true),
            .init(constellation: .galileo, number: 12, elevationDeg: 0, azimuthDeg: 90, cn0DBHz: 24),
            .init(constellation: .glonass, number: 3, elevationDeg: 45, azimuthDeg: 180),
            .init(constellation: .beidou, number: 33),
        ], pdop: 1.84, hdop: 0.9)

    @Test("North is up, the zenith in the middle, the horizon on the rim")
    func plot() {
        let lines = SkyPage.text(sky).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0].contains("N") && lines[20].contains("S"))
        #expect(lines[10].contains("G05*"))
        #expect(lines[10].hasSuffix("E12"))
        #expect(lines[15].contains("R03"))
    }

    @Test("Every satellite has a bar of its strength, tracked or not, and the sums are given")
    func bars() {
        let text = SkyPage.text(sky)
        #expect(text.contains("G05* 50 " + String(repeating: "█", count: 25)))
        #expect(text.contains("E12  24 " + String(repeating: "█", count: 12) + "\n"))
        #expect(text.contains("C33   -"))
        #expect(text.contains("4 in view, 1 used (marked *), PDOP 1.8, HDOP 0.9"))
    }

    @Test("An empty sky and impossible angles are drawn all the same")
    func odd() {
        #expect(SkyPage.text(SkyView(satellites: [])).contains("0 in view"))
        let odd = SatelliteInView(constellation: .sbas, number: 120, elevationDeg: 99, azimuthDeg: -10, cn0DBHz: 120)
        #expect(SkyPage.text(SkyView(satellites: [odd])).contains("S120"))
    }
}
