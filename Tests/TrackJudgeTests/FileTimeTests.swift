import Testing
import TrackerModel

@testable import TrackJudge

@Suite("Times in track files")
struct FileTimeTests {
    @Test(
        "ISO 8601 in the ways that programs write it",
        arguments: [
            ("2026-05-04T07:00:02Z", 1_777_878_002_000), ("2026-05-04 07:00:02", 1_777_878_002_000),
            ("2026-05-04T07:00:02.9999999Z", 1_777_878_002_999), ("2026-05-04T07:00:02,5Z", 1_777_878_002_500),
            ("2026-05-04T07:00Z", 1_777_878_000_000), ("2026-05-04T02:30:02-04:30", 1_777_878_002_000),
            ("2026-05-04T09:00:02+0200", 1_777_878_002_000), ("2026-05-04T09:00:02+02", 1_777_878_002_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("1901-12-13T20:45:52Z", -2_147_483_648_000),
        ])
    func good(text: String, millis: Int64) {
        #expect(FileTime.iso(text) == UTCTime(millis: millis))
    }

    @Test(
        "Anything else is no time",
        arguments: [
            "", "2026-05-04", "2026-05-04T07", "2026-05-04T24:00:00Z", "2026-05-04T07:60:00Z", "2026-13-04T07:00:00Z",
            "2026-05-04T07:00:02.Z", "2026-05-04T07:00:02Zx", "2026-05-04T07:00:02+15:00", "2026-05-04T07:00:02+02:",
            "2026-05-04T07:00:0٢Z", "07:00:02 2026-05-04", "0001-01-01T00:00:00+14:00",
        ])
    func bad(text: String) {
        #expect(FileTime.iso(text) == nil)
    }

    @Test("A plain number is seconds, or milliseconds by its size")
    func numbers() {
        #expect(FileTime.time(1_777_878_002.0004, unit: .either) == UTCTime(millis: 1_777_878_002_000))
        #expect(FileTime.time(1_777_878_002_000, unit: .either) == UTCTime(millis: 1_777_878_002_000))
        #expect(FileTime.time(1_777_878_002_000, unit: .seconds) == nil)
        for number in [Double.nan, .infinity, 1e300, -1e300] { #expect(FileTime.time(number, unit: .either) == nil) }
    }
}
