import Foundation
import LinuxIO
import Testing
import TrackerModel

@Suite("Ring of raw receiver bytes")
struct RawLogRingTests {
    private let directory = TemporaryDirectory()

    private func files(_ suffix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }

    private func contents(_ name: String) -> Data {
        FileManager.default.contents(atPath: directory.file(name)) ?? Data()
    }

    @Test("Bytes come back as they were, with the instant of every read")
    func roundTrip() {
        let ring = RawLogRing(directory: directory.path, limitBytes: 1 << 20)
        for second in 0..<90 {
            ring.append([UInt8](repeating: UInt8(second), count: 10), at: Instant(millis: Int64(second) * 1_000))
        }
        ring.flush()
        let raw = contents("gnss-000001.raw")
        #expect(raw.count == 900 && raw[455] == 45)
        let lines = String(decoding: contents("gnss-000001.idx"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 90)
        #expect(lines[45] == "450 45000000000")
    }

    @Test("The files together stay within the limit and one block, and the newest bytes are kept")
    func bounded() {
        let ring = RawLogRing(directory: directory.path, limitBytes: 400_000)
        for step in 0..<3_000 {
            ring.append([UInt8](repeating: UInt8(step % 251), count: 1_000), at: Instant(millis: Int64(step)))
        }
        ring.flush()
        let total = files(".raw").reduce(0) { $0 + contents($1).count }
        #expect(total <= 400_000 + 4 * 33_000 && total >= 250_000)
        #expect(files(".raw").count <= 4 && files(".idx").count == files(".raw").count)
        #expect(contents(files(".raw").last ?? "").last == UInt8(2_999 % 251))
    }

    @Test("A restart goes on with the next file")
    func restart() {
        for _ in 0..<2 {
            let ring = RawLogRing(directory: directory.path, limitBytes: 1 << 20)
            ring.append([1], at: .zero)
            ring.flush()
        }
        #expect(files(".raw") == ["gnss-000001.raw", "gnss-000002.raw"])
    }

    @Test("A directory that is not there costs the log and nothing else")
    func missing() {
        let ring = RawLogRing(directory: directory.file("none"), limitBytes: 1 << 20)
        ring.append([UInt8](repeating: 0, count: 100_000), at: .zero)
        ring.flush()
        #expect(files(".raw").isEmpty)
    }
}
