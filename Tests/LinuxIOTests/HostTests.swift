import CLinux
import Foundation
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("The host")
struct HostTests {
    @Test("Boot and session ids are UUIDs; the boot keeps its own")
    func identifiers() throws {
        #expect(UUID(uuidString: try Host.bootID()) != nil)
        #expect(try Host.bootID() == Host.bootID())
        #expect(UUID(uuidString: Host.randomUUID()) != nil)
        #expect(Host.randomUUID() != Host.randomUUID())
    }

    @Test("Name and process are told")
    func facts() {
        #expect(!Host.name.isEmpty && !Host.name.contains("\n"))
        #expect(Host.processID == getpid())
    }

    @Test(
        "Digests are those of FIPS 180-4's examples",
        arguments: [
            (
                "", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
            (
                "abc", "a9993e364706816aba3e25717850c26c9cd0d89d",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
        ])
    func digests(text: String, sha1: String, sha256: String) {
        func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
        let digests = OpenSSLDigests()
        #expect(hex(digests.sha1(Array(text.utf8))) == sha1)
        #expect(hex(digests.sha256(Array(text.utf8))) == sha256)
    }

    // One test: the C library has one zone a process.
    @Test("A date is that of the zone, through daylight saving and before 1970; an unknown zone is UTC (E-147, E-148)")
    func zones() {
        let rows: [(zone: String, millis: Int64, date: String)] = [
            ("UTC", 1_700_006_399_999, "2023-11-14"), ("UTC", 1_700_006_400_000, "2023-11-15"),
            ("Europe/Amsterdam", 1_700_002_799_999, "2023-11-14"),
            ("Europe/Amsterdam", 1_700_002_800_000, "2023-11-15"),
            ("Europe/Amsterdam", 1_688_162_400_000, "2023-07-01"),
            ("Europe/Amsterdam", 1_688_162_399_999, "2023-06-30"),
            ("Pacific/Kiritimati", 1_700_006_400_000, "2023-11-15"), ("Pacific/Apia", 1_325_239_200_000, "2011-12-31"),
            ("UTC", -1, "1969-12-31"), ("UTC", .min, "0001-01-01"), ("UTC", .max, "9998-12-31"),
            ("Mars/Olympus", 1_700_006_399_999, "2023-11-14"),
        ]
        for row in rows {
            let date = SystemZoneCalendar(zoneID: row.zone).localDate(of: UTCTime(millis: row.millis))
            #expect(date == row.date, "\(row.zone) \(row.millis)")
        }
        let first = SystemZoneCalendar(zoneID: "Europe/Amsterdam")
        _ = SystemZoneCalendar(zoneID: "America/New_York").localDate(of: UTCTime(millis: 0))
        #expect(first.localDate(of: UTCTime(millis: 1_700_002_800_000)) == "2023-11-15")
    }

    @Test(
        "What is no name in the zone database is UTC, and says so",
        arguments: [
            "", "/etc/localtime", "../../../etc/passwd", "Europe/../UTC", "Europe", "tzdata.zi", ":UTC", "Mars/X",
            "a b",
        ])
    func fallback(id: String) {
        let calendar = SystemZoneCalendar(zoneID: id)
        #expect(calendar.zoneID == "UTC")
        #expect(calendar.isFallback)
    }

    @Test(
        "A known zone is kept", arguments: ["UTC", "Europe/Amsterdam", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
    func known(id: String) {
        let calendar = SystemZoneCalendar(zoneID: id)
        #expect(calendar.zoneID == id)
        #expect(!calendar.isFallback)
    }
}
