import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("Epochs of UBX receivers")
struct UBXEpochTests {
    private static func iTOW(_ second: Int) -> UInt32 { PVTSample.second(second).iTOW }

    /// A solution as u-blox 5 and 6 send it.
    private static func parts(_ second: Int) -> [UInt8] {
        let time = iTOW(second)
        return UBXPart.position(time) + UBXPart.status(time) + UBXPart.dop(time) + UBXPart.sol(time)
            + UBXPart.velocity(time) + UBXPart.timeUTC(time, second: UInt8(second))
    }

    @Test("NAV-PVT alone is handed out at once")
    func atOnce() {
        var bench = UBXBench()
        #expect(bench.feed(PVTSample().frame, atMillis: 0).count == 1)
        #expect(bench.decoder.deadline == .never)
    }

    @Test("The parts of an older receiver make one fix")
    func assembled() throws {
        var bench = UBXBench()
        bench.feed(Self.parts(0), atMillis: 1_000)
        #expect(bench.fixes.isEmpty)
        bench.expire(atMillis: 1_150)
        let fix = try #require(bench.fixes.first)
        #expect(fix.time == UTCTime(millis: 1_799_323_200_000))
        #expect(fix.coordinate == Coordinate(latitudeE7: 481_173_000, longitudeE7: 115_166_667))
        #expect(fix.accuracyM == 3 && fix.altitudeM == 545.4 && fix.verticalAccuracyM == 5)
        #expect(fix.speedMps == 10 && fix.courseDeg == 90 && fix.speedAccuracyMps == 0.4)
        #expect(fix.courseAccuracyDeg == 2 && fix.satellitesUsed == 8 && fix.hdop == 0.9)
        #expect(bench.outputs.filter { $0.fix != nil || $0.isNoFix }.count == 1)
    }

    @Test("NAV-SOL alone gives the same place, within its centimetres, and leap seconds give its time")
    func cartesian() throws {
        var bench = UBXBench()
        let gpsTime = ubxFrame(
            0x01, 0x20,
            joined(little(Self.iTOW(0)), little(Int32(0)), little(Int16(2_453)), [18, 7], little(UInt32(20))))
        bench.feed(UBXPart.sol(Self.iTOW(0)) + gpsTime, atMillis: 0)
        bench.expire(atMillis: 500)
        bench.feed(UBXPart.sol(Self.iTOW(1)), atMillis: 1_000)
        bench.expire(atMillis: 1_500)
        #expect(bench.fixes.count == 2)
        let fix = try #require(bench.fixes.last)
        #expect(abs(fix.coordinate.latitude - 48.1173) < 2e-7)
        #expect(abs(fix.coordinate.longitude - 11.5166667) < 2e-7)
        #expect(abs(try #require(fix.speedMps) - 10) < 0.01)
        #expect(abs(try #require(fix.courseDeg) - 90) < 0.5)
        #expect(fix.accuracyM == 4.5 && fix.altitudeM == nil)
        // 2027-01-14 12:00:01 GPS time.
        #expect(fix.time == UTCTime(millis: 1_799_928_001_000 - 18_000))
        #expect(bench.fixes.first?.time == UTCTime(millis: 1_799_928_000_000 - 18_000))
    }

    @Test("An all-zero NAV-SOL is no position")
    func noCartesian() {
        var sol = [UInt8](repeating: 0, count: 52)
        (sol[10], sol[11]) = (3, 0x0D)
        #expect(onlyFix(ofFrames: ubxFrame(0x01, 0x06, sol)) == nil)
    }

    @Test("A position without a word about the fix is not handed out (E-025)")
    func positionAlone() {
        var bench = UBXBench()
        for second in 0..<5 {
            bench.feed(
                UBXPart.position(Self.iTOW(second)) + UBXPart.dop(Self.iTOW(second)), atMillis: Int64(second) * 1_000)
        }
        bench.finish()
        #expect(bench.outputs.isEmpty)
    }

    @Test("E-025: a position that status calls old is no fix")
    func oldPosition() {
        var bench = UBXBench()
        bench.feed(UBXPart.position(Self.iTOW(0)) + UBXPart.status(Self.iTOW(0), flags: 0), atMillis: 0)
        bench.finish()
        #expect(bench.fixes.isEmpty)
        #expect(bench.decoder.counters.noFixEpochs == 1)
    }

    @Test("The end of the epoch closes it at once")
    func endOfEpoch() {
        var bench = UBXBench()
        bench.feed(Self.parts(0), atMillis: 0)
        #expect(bench.feed(UBXPart.end(Self.iTOW(1)), atMillis: 1).isEmpty)
        #expect(bench.feed(UBXPart.end(Self.iTOW(0)), atMillis: 2).count == 1)
    }

    @Test("Another time of week closes the epoch")
    func nextTime() {
        var bench = UBXBench()
        bench.feed(Self.parts(0), atMillis: 0)
        bench.feed(Self.parts(1), atMillis: 10)
        #expect(bench.fixes.count == 1)
    }

    @Test("What regularly comes is waited for, and then the epoch is closed early")
    func habit() throws {
        var bench = UBXBench()
        for second in 0..<3 {
            bench.feed(Self.parts(second), atMillis: Int64(second) * 1_000)
            bench.expire(atMillis: Int64(second) * 1_000 + 500)
        }
        #expect(bench.fixes.count == 3)
        // Now the last part closes it.
        bench.feed(Self.parts(3).dropLast(28), atMillis: 3_000)
        #expect(bench.fixes.count == 3)
        bench.feed(Array(Self.parts(3).suffix(28)), atMillis: 3_050)
        #expect(bench.fixes.count == 4)
        #expect(try #require(bench.fixes.last).instant == Instant(millis: 3_000))
        #expect(try #require(bench.fixes.last).receivedAt == Instant(millis: 3_050))
    }

    @Test("NAV-DOP behind NAV-PVT is waited for once it is known, for 150 ms at most")
    func trailingDOP() throws {
        var bench = UBXBench()
        for second in 0..<4 {
            let sample = PVTSample.second(second)
            bench.feed(sample.frame, atMillis: Int64(second) * 1_000)
            bench.feed(UBXPart.dop(sample.iTOW), atMillis: Int64(second) * 1_000 + 20)
        }
        #expect(bench.fixes.map(\.hdop) == [nil, 0.9, 0.9, 0.9])
        bench.feed(PVTSample.second(4).frame, atMillis: 4_000)
        #expect(bench.fixes.count == 4)
        #expect(bench.decoder.deadline == Instant(millis: 4_150))
        // The line goes on talking.
        bench.feed(UBXPart.hardware(), atMillis: 4_140)
        bench.expire(atMillis: 4_150)
        #expect(bench.fixes.count == 5)
        // Comes too late, and makes no epoch.
        bench.feed(UBXPart.dop(PVTSample.second(4).iTOW), atMillis: 4_200)
        bench.finish()
        #expect(bench.fixes.count == 5)
    }

    @Test("At 9 600 baud the parts may take longer than 150 ms")
    func slowLine() {
        var bench = UBXBench()
        let bytes = Self.parts(0)
        for (index, start) in stride(from: 0, to: bytes.count, by: 20).enumerated() {
            let at = Int64(index) * 20
            bench.expire(atMillis: at)
            bench.feed(Array(bytes[start..<min(bytes.count, start + 20)]), atMillis: at)
        }
        #expect(bench.fixes.isEmpty)
        bench.expire(atMillis: 400)
        #expect(bench.fixes.count == 1)
        #expect(bench.fixes.first?.courseDeg == 90)
    }

    @Test("E-010: the same time of week once more is dropped; a clock that stands still for 5 s is reported once")
    func frozen() {
        var bench = UBXBench()
        for second in 0..<20 { bench.feed(PVTSample().frame, atMillis: Int64(second) * 1_000) }
        #expect(bench.fixes.count == 1)
        #expect(bench.decoder.counters.duplicateEpochs == 19)
        #expect(bench.diagnostics == ["gnss_time_stalled"])
    }

    @Test("A fix that is lost or found is heard although the clock stands still (F-02)")
    func frozenWithoutFix() {
        var lost = PVTSample()
        lost.flags = 0
        var bench = UBXBench()
        for frame in [PVTSample().frame, lost.frame, lost.frame, PVTSample().frame] { bench.feed(frame, atMillis: 0) }
        #expect(bench.outputs.map { $0.fix != nil } == [true, false, false, true])
    }

    @Test("E-028: ten solutions a second are ten fixes")
    func tenHertz() {
        var bench = UBXBench()
        for tenth in 0..<50 {
            var sample = PVTSample.second(tenth / 10)
            sample.iTOW += UInt32(tenth % 10) * 100
            sample.nano = Int32(tenth % 10) * 100_000_000
            bench.feed(sample.frame, atMillis: Int64(tenth) * 100)
        }
        #expect(bench.fixes.count == 50)
        #expect(Set(bench.fixes.map(\.time)).count == 50)
    }

    @Test("NAV-HPPOSLLH gives two more digits")
    func precise() throws {
        let sample = PVTSample()
        var payload: [UInt8] = joined([0, 0, 0, 0], little(sample.iTOW))
        for value in [sample.longitudeE7, sample.latitudeE7, 592_000, 545_400] { payload += little(value) }
        payload += joined([UInt8(bitPattern: -33), 25, 0, 3], little(UInt32(14_600)), little(UInt32(20_000)))
        let fix = try #require(onlyFix(ofFrames: ubxFrame(0x01, 0x14, payload), sample.frame))
        #expect(abs(fix.coordinate.latitude - 48.117_300_025) < 1e-12)
        #expect(abs(fix.coordinate.longitude - 11.516_666_667) < 1e-12)
        #expect(fix.accuracyM == 1.46 && fix.verticalAccuracyM == 2)
        #expect(abs(try #require(fix.altitudeM) - 545.4003) < 1e-9)
    }

    // Both protocols.

    private static func sentences(_ second: Int) -> [UInt8] {
        let time = "1200" + (second < 10 ? "0" : "") + "\(second).00"
        return Array(
            (sentence("GPRMC,\(time),A,4807.038,N,01131.000,E,10.0,084.4,070127,,,A")
                + sentence("GPGGA,\(time),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")).utf8)
    }

    @Test(
        "E-009: a mixed capture gives the same fixes as its UBX alone, whichever comes first in a burst",
        arguments: [true, false])
    func mixed(isUBXFirst: Bool) {
        var (both, alone) = (UBXBench(), UBXBench())
        for second in 0..<30 {
            let at = Int64(second) * 1_000
            let frame = PVTSample.second(second).frame
            // The receiver has been talking UBX before.
            let burst = isUBXFirst || second == 0 ? frame + Self.sentences(second) : Self.sentences(second) + frame
            both.feed(burst, atMillis: at)
            both.expire(atMillis: at + 500)
            alone.feed(frame, atMillis: at)
        }
        both.finish()
        #expect(both.fixes == alone.fixes)
        #expect(both.fixes.count == 30)
        #expect(both.decoder.counters.epochsWithFix == 30)
        #expect(both.decoder.counters.supersededEpochs == 30)
        #expect(both.decoder.lastSource == .ubx)
    }

    @Test("E-009: a first solution that came in both protocols is one fix")
    func firstInBoth() {
        var bench = UBXBench()
        for second in 0..<5 {
            let at = Int64(second) * 1_000
            bench.feed(Self.sentences(second) + PVTSample.second(second).frame, atMillis: at)
            bench.expire(atMillis: at + 500)
        }
        #expect(bench.fixes.count == 5)
        #expect(Set(bench.fixes.map(\.time)).count == 5)
    }

    @Test("E-009: NMEA is heard again 5 s after the last UBX epoch, and each change of protocol is announced once")
    func silence() {
        var bench = UBXBench()
        var sources: [EpochSource] = []
        bench.decoder.onSource = { sources.append($0) }
        bench.feed(PVTSample.second(0).frame, atMillis: 0)
        for second in 1..<10 {
            bench.feed(Self.sentences(second), atMillis: Int64(second) * 1_000)
            bench.expire(atMillis: Int64(second) * 1_000 + 500)
        }
        #expect(bench.fixes.compactMap { $0.time }.map { $0.millis % 60_000 / 1_000 } == [0, 6, 7, 8, 9])
        #expect(sources == [.ubx, .nmea])
        #expect(bench.decoder.lastSource == .nmea)
        bench.feed(PVTSample.second(20).frame, atMillis: 20_000)
        #expect(sources == [.ubx, .nmea, .ubx])
    }

    @Test("Jamming and spoofing that a receiver reports in UBX count for its NMEA fixes too (E-019, E-020)")
    func conditionsForSentences() throws {
        var bench = UBXBench()
        bench.feed(UBXPart.status(Self.iTOW(0), spoofing: 2) + Self.sentences(0), atMillis: 0)
        bench.finish()
        #expect(try #require(bench.fixes.first).isMock)
    }
}
