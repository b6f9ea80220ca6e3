import GNSSCodecs
import TestKit
import Testing

@Suite("Frames of a log")
struct RawFrameTests {
    private func frames(_ bytes: [UInt8], blocks size: Int = .max) -> [RawFrame] {
        var scanner = RawFrameScanner()
        var found: [RawFrame] = []
        for start in stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))) {
            let block = Array(bytes[start..<min(bytes.count, start + min(size, bytes.count))])
            block.withUnsafeBufferPointer { scanner.scan($0) { found.append($0) } }
        }
        return found
    }

    private static let rmc = sentence("GPRMC,120000.00,A,4807.038,N,01131.000,E,10.0,084.4,010126,,,A")

    @Test("Each frame has its place, kind and state")
    func states() {
        let bad = Self.rmc.replacing("4807", with: "4808")
        let log = "noise" + Self.rmc + bad + "$GPGGA,12" + Self.rmc + sentence("GPRMC,1,D") + "!AIVDM,1\u{1}"
        let found = frames(Array(log.utf8))
        #expect(found.map(\.kind) == ["GPRMC", "GPRMC", "GPGGA", "GPRMC", "GPRMC", "AIVDM"])
        #expect(found.map(\.checksum) == [.ok, .wrong, .cut, .ok, .ok, .cut])
        #expect(found.map(\.isMalformed) == [false, false, false, false, true, false])
        let bytes = Array(log.utf8)
        #expect(found.allSatisfy { bytes[Int($0.offset)] == UInt8(ascii: "$") || $0.kind == "AIVDM" })
        #expect(found[0].offset == 5 && found[0].length == Self.rmc.utf8.count - 2)
    }

    @Test("A frame is a line of JSON")
    func line() {
        #expect(
            frames(Array(Self.rmc.utf8)).map { FixLine.json($0) } == [
                #"{"offset":0,"length":66,"format":"nmea","kind":"GPRMC","checksum":"ok"}"#
            ])
    }

    @Test("Blocks of any size give the same frames (E-003)")
    func blocks() {
        var random = SeededRandom(seed: 5)
        var bytes: [UInt8] = []
        for _ in 0..<200 {
            bytes += Self.rmc.utf8.prefix(Int.random(in: 0...80, using: &random))
            if Bool.random(using: &random) { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        }
        let whole = frames(bytes)
        #expect(whole.count > 100)
        for size in [1, 2, 63, 64, 1_000] { #expect(frames(bytes, blocks: size) == whole, "blocks of \(size)") }
    }
}
