import Recordings
import Testing
import TrackerModel

@Suite("Files of a recording")
struct RecordingLinesTests {
    private static func line(_ u: Int) -> String { #"{"lat":46,"lon":7,"u":\#(u)}"# }

    @Test("A torn last line is dropped silently, with or without its line end", arguments: ["", "\n", "\n\n"])
    func tornLast(end: String) throws {
        var reader = locations(Self.line(1) + "\n" + Self.line(2) + "\n" + #"{"lat":46,"lo"# + end)
        #expect(try reader.all().count == 2)
    }

    @Test("A torn line elsewhere is an error that names its number")
    func tornElsewhere() {
        let said = failure {
            var reader = locations(Self.line(1) + "\n\n" + #"{"lat":46"# + "\n" + Self.line(2) + "\n")
            _ = try reader.all()
        }
        #expect(said == "fixes, line 3: not a whole JSON object")
    }

    @Test(
        "A last line without line end, empty lines and CR LF are fine, whatever the blocks",
        arguments: [1, 2, 64, 5_000])
    func shapes(size: Int) throws {
        var reader = locations("\r\n" + Self.line(1) + "\r\n\n  \n" + Self.line(2), size: size)
        #expect(try reader.all().map(\.monotonicNanos) == [1_000_000_000, 2_000_000_000])
        var empty = locations("", size: size)
        #expect(try empty.next() == nil)
    }

    @Test("What never ends its line is refused instead of filling the memory")
    func endless() {
        var served = 0
        let endless: RecordingBlocks = { () throws(RecordingFailure) -> [UInt8] in
            served += 1
            return [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
        }
        let said = failure {
            var reader = LocationReader(name: "endless", endless)
            _ = try reader.next()
        }
        #expect(said.contains("longer than") && served < 10)
    }

    @Test(
        "The content decides what a file is",
        arguments: [
            (#"{"lat":46,"lon":7,"u":1}"#, RecordingKind.locations), ("\n " + #"{"u":1,"x":0,"y":0,"z":1}"#, .motion),
            ("$GPGGA,120000", .receiverLog), ("# Date: 2010-04-03", .receiverLog), ("\u{B5}b\u{1}", .receiverLog),
            ("", .receiverLog),
        ] as [(String, RecordingKind)])
    func kinds(text: String, kind: RecordingKind) throws {
        #expect(try RecordingKind(head: Array((text + "\nmore").utf8), name: "x") == kind)
    }

    @Test("JSON of another kind is refused")
    func otherJSON() {
        #expect(
            failure { _ = try RecordingKind(head: Array(#"{"type":"Feature"}"#.utf8), name: "x") }.contains("line 1"))
    }
}
