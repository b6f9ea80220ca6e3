import Recordings
import Testing
import TrackerModel
import WireText

@Suite("Fixtures")
struct FixtureTests {
    private static let foreign = """
        {"version":1,"name":"walk","recordedAtMs":5,"device":{"sdkInt":34},"extra":[1],
         "fixes":[
          {"timeMs":1777878000000,"elapsedNs":812000000001,"lat":46.8032533,"lng":7.1448763,"acc":4.5,"spd":0,"brg":0,
           "hasSpeed":false,"hasBearing":false,"provider":"fused","mock":false,"steps":3},
          {"timeMs":1777878001000,"elapsedNs":813000000001,"lat":46.9,"lng":7.2,"acc":-1,"spd":1.25,"brg":360,
           "hasSpeed":true,"hasBearing":true,"provider":"gnss","mock":true,"spdAcc":0.5,"brgAcc":2.5,"boot":"b",
           "alt":-3.25,"vAcc":7}],
         "expected":[{"i":1,"verdict":"REJECT","reason":"Impossible Speed"}]}
        """

    private func fixture(_ text: String) throws -> Fixture { try Fixture(Array(text.utf8), fileName: "f.json") }

    @Test("A fixture from elsewhere is read whole: a speed that was not measured is none, −1 is unknown")
    func foreign() throws {
        let read = try fixture(Self.foreign)
        #expect(read.name == "walk" && read.recordedAt == UTCTime(millis: 5) && read.fixes.count == 2)
        #expect(read.fixes[0].speedMps == nil && read.fixes[0].courseDeg == nil)
        #expect(read.fixes[0].provider == .unknown && read.fixes[0].monotonicNanos == 812_000_000_001)
        #expect(read.fixes[1].accuracyM.isNaN && read.fixes[1].speedMps == 1.25 && read.fixes[1].courseDeg == 0)
        #expect(read.fixes[1].isMock && read.fixes[1].bootID == "b" && read.fixes[1].altitudeM == -3.25)
        #expect(read.knowsBoots)
        #expect(read.expected == [.init(index: 1, verdict: .reject, reason: .impossibleSpeed)])
        #expect(try RecordingKind(head: Array(Self.foreign.utf8), name: "f") == .fixture)
    }

    @Test("What is written reads back, and its beginning shows what it is")
    func roundTrip() throws {
        var first = try fixture(Self.foreign)
        first.fixes[1].accuracyM = 3
        let bytes = first.json.bytes
        #expect(try Fixture(bytes, fileName: "f") == first)
        #expect(try RecordingKind(head: bytes, name: "f") == .fixture)
        #expect(try RecordingKind(head: bytes.dropLast(30), name: "f") == .fixture)
    }

    @Test(
        "What is damaged is named",
        arguments: [
            ("{", "no JSON at byte"), (#"{"version":1}"#, "a fixture has version and fixes"),
            (#"{"version":2,"fixes":[]}"#, "version 2 of fixtures; this program reads 1"),
            (#"{"version":1,"fixes":[7]}"#, "fixes[0] is no object"),
            (#"{"version":1,"fixes":[{"timeMs":1,"lng":2}]}"#, "f.json, fixes[0]: lat is missing"),
            (#"{"version":1,"fixes":[{"lat":1,"lng":2}]}"#, "neither timeMs nor elapsedNs"),
            (#"{"version":1,"fixes":[],"expected":[{"i":0}]}"#, "expected[0]: i is not the number of a fix"),
            (
                #"{"version":1,"fixes":[{"timeMs":1,"lat":1,"lng":2}],"expected":[{"i":0,"verdict":"NO"}]}"#,
                "verdict is none of"
            ),
            (
                #"{"version":1,"fixes":[{"timeMs":1,"lat":1,"lng":2}],"expected":[{"i":0,"verdict":"SKIP","reason":"x"}]}"#,
                "there is no reason 'x'"
            ),
        ])
    func damaged(text: String, words: String) {
        let said = failure { _ = try fixture(text) }
        #expect(said.contains(words), "\(said)")
    }
}
