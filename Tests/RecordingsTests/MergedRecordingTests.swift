import Recordings
import Testing
import TrackerModel

@Suite("Merged recordings")
struct MergedRecordingTests {
    private static func fix(_ u: Double, lat: Int = 46, more: String = "") -> String {
        #"{"lat":\#(lat),"lon":7,"u":\#(u)\#(more)}"# + "\n"
    }
    private static func sample(_ u: Double, x: Int = 0) -> String { #"{"u":\#(u),"x":\#(x),"y":0,"z":1}"# + "\n" }

    /// `fix@1.5` and the like, `!` where the clock has started again.
    private func story(_ recording: MergedRecording) throws -> [String] {
        var recording = recording
        var story: [String] = []
        while let item = try recording.next() {
            let kind =
                switch item.content {
                case .fix(let fix): "fix\(Int(fix.coordinate.latitude))" + late(fix.instant, item.instant)
                case .motion(let sample): "motion\(Int(sample.x))" + late(sample.instant, item.instant)
                case .bytes(let bytes): "bytes\(bytes.count)"
                }
            story.append("\(kind)@\(Double(item.instant.nanos) / 1e9)\(item.isAfterRestart ? "!" : "")")
        }
        return story
    }

    private func late(_ own: Instant, _ delivered: Instant) -> String {
        own == delivered ? "" : "(\(Double(own.nanos) / 1e9))"
    }

    @Test(
        "Ordered by the boot clock; at the same reading motion comes first, and lines of a kind keep their order (A-17)"
    )
    func order() throws {
        let fixes = Self.fix(10, lat: 1) + Self.fix(11, lat: 2) + Self.fix(11, lat: 3)
        let motion = Self.sample(9.5, x: 1) + Self.sample(10, x: 2) + Self.sample(11, x: 3) + Self.sample(11, x: 4)
        let merged = try MergedRecording(locations: [locations(fixes)], motion: [samples(motion)])
        #expect(merged.start == Instant(millis: 9_500))
        #expect(
            try story(merged) == [
                "motion1@9.5", "motion2@10.0", "fix1@10.0", "motion3@11.0", "motion4@11.0", "fix2@11.0", "fix3@11.0",
            ])
    }

    @Test("Without u, UTC stands in and begins at zero")
    func locationOnly() throws {
        let text = (0..<3).map { #"{"lat":4\#($0),"lon":7,"t":\#(1_777_878_000 + $0 * 60).25}"# + "\n" }.joined()
        let merged = try MergedRecording(locations: [locations(text)])
        #expect(merged.start == .zero)
        #expect(try story(merged) == ["fix40@0.0", "fix41@60.0", "fix42@120.0"])
    }

    @Test("Samples with fixes that have no u are refused, also when only a later file has none")
    func mixed() throws {
        let bare = #"{"lat":46,"lon":7,"t":1777878000}"# + "\n"
        let said = failure {
            _ = try MergedRecording(locations: [locations(bare)], motion: [samples(Self.sample(1))])
        }
        #expect(said.hasPrefix("fixes, line 1: there is no u"))
        let later = failure {
            let merged = try MergedRecording(
                locations: [locations(Self.fix(1)), locations(bare, name: "second")], motion: [samples(Self.sample(1))])
            _ = try story(merged)
        }
        #expect(later.hasPrefix("second, line 1: there is no u"))
    }

    @Test("Lines with and without u in one file are refused by their number")
    func halfClocked() {
        let text = Self.fix(1) + #"{"lat":46,"lon":7,"t":1777878000}"# + "\n"
        #expect(
            failure { _ = try story(try MergedRecording(locations: [locations(text)])) }.hasPrefix("fixes, line 2: u"))
    }

    @Test("Samples alone, and logs beside fixes or without index beside samples, are refused")
    func refused() {
        let log = ReceiverLog(name: "log", bytes: [1], chunks: [(0, 0..<1)])
        #expect(failure { _ = try MergedRecording(motion: [samples("")]) }.contains("no fix to judge"))
        #expect(failure { _ = try MergedRecording(locations: [locations("")], logs: [log]) }.contains("one kind"))
        #expect(failure { _ = try MergedRecording(motion: [samples("")], logs: [log]) }.contains("no index"))
    }

    @Test("Another boot begins a new run one second later, and samples go with it")
    func reboot() throws {
        let fixes =
            Self.fix(100, more: #","boot":"a""#) + Self.fix(160, more: #","boot":"a""#)
            + Self.fix(20, lat: 2, more: #","boot":"b""#) + Self.fix(30, lat: 3)
        let motion = Self.sample(150) + Self.sample(19, x: 1) + Self.sample(25, x: 2)
        let merged = try MergedRecording(locations: [locations(fixes)], motion: [samples(motion)])
        #expect(
            try story(merged) == [
                "fix46@100.0", "motion0@150.0", "fix46@160.0", "motion1@161.0", "fix2@162.0!", "motion2@167.0",
                "fix3@172.0",
            ])
    }

    @Test("A fix that comes late keeps its own time and its place in the file")
    func outOfOrder() throws {
        let merged = try MergedRecording(locations: [locations(Self.fix(10) + Self.fix(4, lat: 5) + Self.fix(11))])
        #expect(try story(merged) == ["fix46@10.0", "fix5(4.0)@10.0", "fix46@11.0"])
    }

    @Test("Without boots, a step back of 300 s or a fourth late fix in a row is a restart; with them neither is")
    func steps() throws {
        let far = try MergedRecording(locations: [locations(Self.fix(400) + Self.fix(101) + Self.fix(102))])
        #expect(try story(far) == ["fix46@400.0", "fix46(101.0)@400.0", "fix46(102.0)@400.0"])
        let farther = try MergedRecording(locations: [locations(Self.fix(400) + Self.fix(100) + Self.fix(102))])
        #expect(try story(farther) == ["fix46@400.0", "fix46@401.0!", "fix46@403.0"])
        let late = (1...5).map { Self.fix(Double($0)) }.joined()
        let run = try MergedRecording(locations: [locations(Self.fix(10) + late)])
        #expect(try story(run).suffix(2) == ["fix46@11.0!", "fix46@12.0"])
        let booted = try MergedRecording(locations: [
            locations(Self.fix(400, more: #","boot":"a""#) + Self.fix(1) + late)
        ])
        #expect(try story(booted).allSatisfy { $0.hasSuffix("@400.0") })
    }

    @Test("The next file goes on where its clock does, else it is a new run")
    func files() throws {
        let onward = try MergedRecording(locations: [locations(Self.fix(10)), locations(Self.fix(12))])
        #expect(try story(onward) == ["fix46@10.0", "fix46@12.0"])
        let again = try MergedRecording(locations: [locations(Self.fix(10)), locations(Self.fix(3) + Self.fix(5))])
        #expect(try story(again) == ["fix46@10.0", "fix46@11.0!", "fix46@13.0"])
    }

    @Test("A pause of more than 31 days is not sat through")
    func month() throws {
        let text = Self.fix(10) + Self.fix(10 + 31 * 86_400) + Self.fix(3_900_000_000)
        let merged = try MergedRecording(locations: [locations(text)])
        #expect(try story(merged) == ["fix46@10.0", "fix46@2678410.0", "fix46@2678411.0!"])
    }

    @Test("Logs without index follow one another by a second; with one they lie where they were read")
    func logs() throws {
        let log = ReceiverLog(name: "log", bytes: [1, 2, 3], chunks: [(0, 0..<1), (5_000_000_000, 1..<3)])
        #expect(
            try story(try MergedRecording(logs: [log, log])) == [
                "bytes1@0.0", "bytes2@5.0", "bytes1@6.0", "bytes2@11.0",
            ])
        let indexed = try ReceiverLog(
            name: "raw", bytes: [1, 2, 3], index: Array("0 7000000000\n1 8000000000\n".utf8), indexName: "idx")
        let merged = try MergedRecording(motion: [samples(Self.sample(7.5))], logs: [indexed])
        #expect(try story(merged) == ["bytes1@7.0", "motion0@7.5", "bytes2@8.0"])
    }
}

@Suite("Receiver bytes with an index of times")
struct ReceiverLogTests {
    private func chunks(_ index: String, bytes: Int = 10) throws -> [String] {
        try ReceiverLog(
            name: "raw", bytes: [UInt8](repeating: 0, count: bytes), index: Array(index.utf8), indexName: "raw.idx"
        ).chunks.map { "\($0.nanos):\($0.range)" }
    }

    @Test("Every byte has the time of the read that brought it, and a torn last line is dropped")
    func reading() throws {
        #expect(try chunks("0 5\n4 6\n8 9\n9") == ["5:0..<4", "6:4..<8", "9:8..<10"])
        #expect(try chunks("2 5\n4 6\n") == ["5:0..<4", "6:4..<10"])
    }

    @Test("Lines about bytes that were not written any more count for nothing")
    func shortBytes() throws {
        #expect(try chunks("0 5\n4 6\n8 7\n", bytes: 6) == ["5:0..<4", "6:4..<6"])
        #expect(try chunks("0 5\n", bytes: 0).isEmpty)
    }

    @Test(
        "Anything else is an error that names the line",
        arguments: [
            "0 5\nx 6\n", "0 5\n4\n", "0 5\n4 6 7\n", "4 5\n3 6\n", "0 5\n4 4\n", "-1 5\n", "0 -5\n", "0 5\n\n9 9\n",
            "0 5\n1 4000000000000000001\n", "0 5\n1 9223372036854775807\n",
        ])
    func damaged(index: String) {
        let line = index.hasPrefix("-") || index.hasPrefix("0 -") ? 1 : 2
        #expect(failure { _ = try chunks(index) }.hasPrefix("raw.idx, line \(line): "))
    }
}
