import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackJudge

@Suite("Reading GPX")
struct GPXTests {
    private func read(_ text: String) throws -> Recording { try GPXReader.read(Array(text.utf8)) }

    private func failure(_ text: String) -> JudgeFailure? {
        do {
            _ = try read(text)
            return nil
        } catch { return error as? JudgeFailure }
    }

    @Test("Points of all tracks and segments, whatever stands between and inside them")
    func golden() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE gpx [ <!ENTITY a "<trkpt lat='1' lon='1'/>"> ]>
            <!-- <trkpt lat="9" lon="9"><time>2026-05-04T07:00:00Z</time></trkpt> -->
            <x:gpx xmlns:x="http://www.topografix.com/GPX/1/1" version="1.1">
              <x:metadata><x:time>2001-01-01T00:00:00Z</x:time></x:metadata>
              <x:wpt lat="5" lon="5"><x:time>2026-05-04T06:00:00Z</x:time></x:wpt>
              <x:trk><x:name>&a; &#65; a &gt; b</x:name><x:trkseg>
                <x:trkpt lon='-8.3205384'
                         lat = "47.0480301" note="a>b">
                  <x:ele>440</x:ele><x:time> 2026-05-04T07:00:00.2504Z </x:time>
                  <x:extensions><y:Point><y:time>1999-01-01T00:00:00Z</y:time></y:Point></x:extensions>
                </x:trkpt>
                <x:trkpt lat="1" lon="1"/>
              </x:trkseg></x:trk>
              <x:trk><x:trkseg/><x:trkseg><x:trkpt lat="&#45;47.5" lon="8"><x:time><![CDATA[2026-05-04T09:00]]>:02+02:00</x:time></x:trkpt>
              </x:trkseg></x:trk>
            </x:gpx>
            """
        let found = try read(text)
        #expect(
            found.positions == [
                TimedPosition(
                    time: UTCTime(millis: 1_777_878_000_250),
                    position: Coordinate(latitude: 47.0480301, longitude: -8.3205384)),
                TimedPosition(
                    time: UTCTime(millis: 1_777_878_002_000), position: Coordinate(latitude: -47.5, longitude: 8)),
            ])
        #expect(found.notes == ["1 points without a time are left out"])
    }

    @Test("A file cut short anywhere gives its whole points and a note, or says what is wrong")
    func truncated() throws {
        let text = """
            <gpx><trk><name><![CDATA[a]]></name><!-- c --><trkseg>
            <trkpt lat="47" lon="8"><time>2026-05-04T07:00:00Z</time></trkpt>
            <trkpt lat="48" lon="8"><time>2026-05-04T07:00:01Z</time></trkpt>
            </trkseg></trk></gpx>
            """
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count {
            let found = try GPXReader.read(Array(bytes[..<count]))
            #expect(found.positions.count <= 2)
            if count > 1 { #expect(found.notes.count == 1, "\(count) bytes") }
        }
        #expect(try read(text).notes.isEmpty)
        #expect(try GPXReader.read(Array(bytes.dropLast(8))).positions.count == 2)
    }

    @Test(
        "What is wrong is refused with its line",
        arguments: [
            ("<trkpt lat=\"x\" lon=\"8\">", "lat=\"x\""), ("<trkpt lat=\"47\">", "without lon"),
            ("<trkpt lat=47 lon=8>", "without lat"), ("<trkpt lat=\"NaN\" lon=\"8\">", "lat=\"NaN\""),
            ("<trkpt lat=\"1e400\" lon=\"8\">", "lat="), ("<trkpt lat=\"47\" lon=\"200\">", "no position"),
            ("<trkpt lat=\"47\" lon=\"8\"><time>yesterday</time>", "'yesterday'"),
            ("<trkpt lat=\"47\" lon=\"8\"><time/>", "time ''"),
            ("<trkpt lat=\"47\" lon=\"8\"><trkpt lat=\"47\" lon=\"8\">", "inside a trkpt"),
            ("<trkpt lat=\"&lat;\" lon=\"8\">", "&lat;"),
        ])
    func refused(inside: String, cause: String) throws {
        let found = try #require(failure("<gpx>\n\n\(inside)"))
        #expect(found.line == 3 && found.cause.contains(cause), "\(found)")
    }

    @Test("Other XML is refused by the name of its root")
    func otherXML() {
        #expect(
            failure("<?xml version=\"1.0\"?>\n<kml><trkpt lat=\"1\" lon=\"1\"/></kml>")?.cause.contains("<kml>") == true
        )
    }

    @Test("Hostile input costs neither memory nor a trap", arguments: 1...4)
    func hostile(seed: UInt64) throws {
        // Nested without end, closed without end, entities that would grow, a time without end.
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(try read("<gpx>" + deep).positions.isEmpty)
        #expect(try read("<gpx>" + String(repeating: "</a>", count: 100_000)).positions.isEmpty)
        let entities = (1...20).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);\">" }.joined()
        #expect(try read("<!DOCTYPE gpx [\(entities)]><gpx><name>&e20;</name></gpx>").positions.isEmpty)
        let endless = String(repeating: "2026-05-04T07:00:00Z ", count: 10_000)
        #expect(failure("<gpx><trkpt lat=\"1\" lon=\"1\"><time>\(endless)</time></trkpt></gpx>") != nil)
        // Random changes of a good file end in a recording or in a failure.
        var random = SeededRandom(seed: seed)
        let good = Array("<gpx><trkpt lat=\"47\" lon='8'><time>2026-05-04T07:00:00Z</time></trkpt><!-- --></gpx>".utf8)
        let alphabet = Array("<>/!?-[]&;\"'= gpxtrktime0179.\0\u{7F}".utf8)
        for _ in 0..<2_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[at] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                } else {
                    bytes.removeSubrange(at..<min(bytes.count, at + 3))
                }
            }
            let count = (try? GPXReader.read(bytes).positions.count) ?? 0
            #expect(count <= 1, "seed \(seed)")
        }
    }
}
