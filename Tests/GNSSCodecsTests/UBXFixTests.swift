import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("Fixes of UBX receivers")
struct UBXFixTests {
    @Test(
        "NAV-PVT of 84 and 92 bytes gives position, time, height, speed, course and their errors", arguments: [84, 92])
    func complete(length: Int) throws {
        var sample = PVTSample()
        sample.length = length
        let fix = try #require(onlyFix(ofFrames: sample.frame))
        #expect(fix.time == UTCTime(millis: 1_799_323_200_000))
        #expect(fix.instant == Instant(millis: 1_000) && fix.receivedAt == Instant(millis: 1_000))
        #expect(fix.coordinate == Coordinate(latitudeE7: 481_173_000, longitudeE7: 115_166_667))
        #expect(fix.accuracyM == 2.5 && fix.altitudeM == 545.4 && fix.verticalAccuracyM == 4)
        #expect(fix.speedMps == 12.34 && fix.courseDeg == 84.4)
        #expect(fix.speedAccuracyMps == 0.3 && fix.courseAccuracyDeg == 1.5)
        #expect(fix.mode == .threeD && fix.provider == .gnss && !fix.isMock && fix.satellitesUsed == 11)
    }

    @Test(
        "gnssFixOK and fixType decide (spec capture §2.4)",
        arguments: [
            (0, 1, nil, nil), (1, 1, FixProvider.deadReckoning, FixMode.threeD), (2, 1, .gnss, .twoD),
            (3, 1, .gnss, .threeD), (4, 1, .gnssDeadReckoning, .threeD), (5, 1, nil, nil), (6, 1, nil, nil),
            (3, 0, nil, nil), (1, 0, nil, nil),
        ] as [(UInt8, UInt8, FixProvider?, FixMode?)])
    func validity(fixType: UInt8, flags: UInt8, provider: FixProvider?, mode: FixMode?) {
        var sample = PVTSample()
        (sample.fixType, sample.flags) = (fixType, flags)
        var bench = UBXBench()
        bench.feed(sample.frame, atMillis: 1_000)
        #expect(bench.fixes.first?.provider == provider)
        #expect(bench.fixes.first?.mode == mode)
        #expect(bench.decoder.counters.noFixEpochs == (provider == nil ? 1 : 0))
    }

    @Test("A position that stays to the bit while the receiver claims speed is told once, at rest it is not (F-20)")
    func frozen() {
        for (speed, expected) in [(Int32(3_000), 1), (0, 0)] {
            var bench = UBXBench()
            for second in 0..<90 {
                var sample = PVTSample.second(second)
                sample.speedMMS = speed
                bench.feed(sample.frame, atMillis: Int64(second) * 1_000)
            }
            #expect(bench.outputs.count { $0 == .diagnostic("gnss_position_frozen") } == expected)
        }
    }

    @Test("A position marked as invalid is none")
    func invalidPosition() {
        var sample = PVTSample()
        sample.flags3 = 1
        #expect(onlyFix(ofFrames: sample.frame) == nil)
    }

    @Test(
        "hAcc unknown or 0 leaves no radius (E-035), RTK is clamped to 1 m (E-036), nothing exceeds 10 km",
        arguments: [
            (UInt32.max, nil), (0, nil), (12, 1), (2_500, 2.5), (4_000_000_000, 10_000),
        ] as [(UInt32, Double?)])
    func accuracy(hAccMM: UInt32, radius: Double?) throws {
        var sample = PVTSample()
        sample.hAccMM = hAccMM
        let fix = try #require(onlyFix(ofFrames: sample.frame))
        #expect(radius == nil ? fix.accuracyM.isNaN : fix.accuracyM == radius)
    }

    @Test("hAcc is multiplied with the calibrated scale")
    func scale() throws {
        let fix = try #require(onlyFix(ofFrames: PVTSample().frame, config: GNSSDecoderConfig(hAccScale: 1.4)))
        #expect(abs(fix.accuracyM - 3.5) < 1e-12)
    }

    @Test("E-021: a 2-D fix has no altitude and at least 15 m")
    func twoD() throws {
        var sample = PVTSample()
        sample.fixType = 2
        let fix = try #require(onlyFix(ofFrames: sample.frame))
        #expect(fix.altitudeM == nil && fix.verticalAccuracyM == nil && fix.accuracyM == 15)
    }

    @Test("E-022: fewer than 4 satellites mean at least 25 m", arguments: [(3, 25), (4, 2.5)] as [(UInt8, Double)])
    func fewSatellites(count: UInt8, radius: Double) throws {
        var sample = PVTSample()
        sample.satellites = count
        #expect(try #require(onlyFix(ofFrames: sample.frame)).accuracyM == radius)
    }

    @Test(
        "HDOP above 20 leaves no radius", arguments: [(2_000, false), (2_001, true), (9_999, true)] as [(UInt16, Bool)])
    func hdop(hundredths: UInt16, isRefused: Bool) throws {
        let sample = PVTSample()
        let fix = try #require(onlyFix(ofFrames: UBXPart.dop(sample.iTOW, hdopE2: hundredths), sample.frame))
        #expect(fix.accuracyM.isNaN == isRefused)
        #expect(fix.hdop == (hundredths == 9_999 ? nil : Double(hundredths) / 100))
    }

    @Test("The altitude needs a vertical accuracy", arguments: [0, UInt32.max])
    func noHeight(vAccMM: UInt32) throws {
        var sample = PVTSample()
        sample.vAccMM = vAccMM
        #expect(try #require(onlyFix(ofFrames: sample.frame)).altitudeM == nil)
    }

    @Test(
        "Speed and course are taken as far as their accuracy allows (E-038, E-039)",
        arguments: [
            // speed mm/s, sAcc mm/s, headAcc 1e-5 degree, speed, course
            (12_340, 300, 150_000, 12.34, 84.4), (12_340, 10_000, 150_000, nil, nil), (12_340, 9_999, 0, 12.34, 84.4),
            (800, 300, 2_500_000, 0.8, 84.4), (799, 300, 150_000, 0.799, nil), (800, 300, 2_500_001, 0.8, nil),
            (5_000, 300, 18_000_000, 5, nil), (0, 100, 150_000, 0, nil), (-1, 100, 150_000, nil, nil),
        ] as [(Int32, UInt32, UInt32, Double?, Double?)])
    func motion(speed: Int32, sAcc: UInt32, headAcc: UInt32, speedMps: Double?, courseDeg: Double?) throws {
        var sample = PVTSample()
        (sample.speedMMS, sample.sAccMMS, sample.headAccE5) = (speed, sAcc, headAcc)
        let fix = try #require(onlyFix(ofFrames: sample.frame))
        #expect(fix.speedMps == speedMps)
        #expect(fix.courseDeg == courseDeg)
    }

    @Test(
        "Courses are brought to [0, 360) (E-040)",
        arguments: [(36_000_000, 0), (-9_000_000, 270), (-1, 359.999_99)] as [(Int32, Double)])
    func course(headingE5: Int32, course: Double) throws {
        var sample = PVTSample()
        sample.headingE5 = headingE5
        let ours = try #require(onlyFix(ofFrames: sample.frame)?.courseDeg)
        #expect(abs(ours - course) < 1e-9)
    }

    @Test(
        "The time needs valid date and time and known leap seconds",
        arguments: [(7, true), (3, false), (5, false), (6, false), (0, false)] as [(UInt8, Bool)])
    func timeFlags(valid: UInt8, isKnown: Bool) throws {
        var sample = PVTSample()
        sample.valid = valid
        #expect((try #require(onlyFix(ofFrames: sample.frame)).time != nil) == isKnown)
    }

    @Test("Nanoseconds round to the millisecond, also over midnight and new year")
    func nano() throws {
        var sample = PVTSample()
        sample.date = (2_027, 1, 1)
        sample.clock = (0, 0, 0)
        sample.nano = -600_000
        #expect(onlyFix(ofFrames: sample.frame)?.time == UTCTime(millis: 1_798_761_600_000 - 1))
        sample.nano = 499_999
        #expect(onlyFix(ofFrames: sample.frame)?.time == UTCTime(millis: 1_798_761_600_000))
        sample.date = (2_026, 12, 31)
        sample.clock = (23, 59, 59)
        sample.nano = 999_600_000
        #expect(onlyFix(ofFrames: sample.frame)?.time == UTCTime(millis: 1_798_761_600_000))
    }

    @Test("E-012: second 60 is the next second")
    func leapSecond() {
        var sample = PVTSample()
        sample.date = (2_026, 12, 31)
        sample.clock = (23, 59, 60)
        sample.nano = 250_000_000
        #expect(onlyFix(ofFrames: sample.frame)?.time == UTCTime(millis: 1_798_761_600_250))
    }

    @Test(
        "Impossible dates and times are no time",
        arguments: [(13, 1, 0), (0, 1, 0), (2, 30, 0), (1, 1, 24)] as [(UInt8, UInt8, UInt8)])
    func impossible(month: UInt8, day: UInt8, hour: UInt8) throws {
        var sample = PVTSample()
        sample.date = (2_027, month, day)
        sample.clock = (hour, 0, 0)
        #expect(try #require(onlyFix(ofFrames: sample.frame)).time == nil)
    }

    @Test("E-019: spoofing marks fixes as not genuine, and is reported once per episode")
    func spoofing() {
        var bench = UBXBench()
        let states: [UInt8] = [0, 1, 1, 2, 2, 3, 2, 1, 1, 2, 0]
        for (second, state) in states.enumerated() {
            let sample = PVTSample.second(second)
            let at = Int64(second) * 1_000
            bench.feed(UBXPart.status(sample.iTOW, spoofing: state) + sample.frame, atMillis: at)
            bench.expire(atMillis: at + 500)
        }
        #expect(bench.fixes.map(\.isMock) == states.map { $0 >= 2 })
        #expect(bench.diagnostics == ["gnss_spoofing", "gnss_spoofing"])
        #expect(bench.health.compactMap(\.spoofing) == [0, 1, 2, 3, 2, 1, 2, 0])
    }

    @Test("E-019: SEC-SIG of both versions reports spoofing, and the worse report counts")
    func securitySignal() {
        var bench = UBXBench()
        var version1 = [UInt8](repeating: 0, count: 12)
        (version1[0], version1[8]) = (1, 1 | 2 << 1)
        bench.feed(ubxFrame(0x27, 0x09, version1) + PVTSample.second(0).frame, atMillis: 0)
        bench.feed(UBXPart.status(PVTSample.second(1).iTOW, spoofing: 1) + PVTSample.second(1).frame, atMillis: 1_000)
        // Version 2: detection on, state 1.
        bench.feed(ubxFrame(0x27, 0x09, [2, 8 | 1 << 4, 0, 0]) + PVTSample.second(2).frame, atMillis: 2_000)
        // Detection off says nothing.
        bench.feed(ubxFrame(0x27, 0x09, [2, 3 << 4, 0, 0]) + PVTSample.second(3).frame, atMillis: 3_000)
        bench.finish()
        #expect(bench.fixes.map(\.isMock) == [true, true, false, false])
        #expect(bench.diagnostics == ["gnss_spoofing"])
    }

    @Test("E-020: jamming for 10 s doubles the radius while it lasts, and is reported once")
    func jamming() {
        var bench = UBXBench()
        // Indicator by second: high from 5 to 24.
        for second in 0..<30 {
            let indicator: UInt8 = (5..<25).contains(second) ? 200 : 199
            bench.feed(
                UBXPart.hardware(jamming: indicator) + PVTSample.second(second).frame, atMillis: Int64(second) * 1_000)
        }
        #expect(bench.fixes.map(\.accuracyM) == (0..<30).map { (15..<25).contains($0) ? 5 : 2.5 })
        #expect(bench.diagnostics == ["gnss_jamming"])
        #expect(bench.health.count == 30)
    }

    @Test("A receiver that stops reporting is not jammed for ever")
    func jammingReportsEnd() {
        var bench = UBXBench()
        for second in [0, 10] {
            bench.feed(
                UBXPart.hardware(jamming: 255) + PVTSample.second(second).frame, atMillis: Int64(second) * 1_000)
        }
        bench.feed(PVTSample.second(70).frame, atMillis: 70_000)
        bench.feed(PVTSample.second(71).frame, atMillis: 70_001)
        #expect(bench.fixes.map(\.accuracyM) == [2.5, 5, 5, 2.5])
    }

    @Test(
        "E-023: antenna faults are reported and nothing is made up",
        arguments: [(2, 1, AntennaState.ok), (4, 1, .open), (3, 0, .short), (1, 0, .off), (0, 2, nil)]
            as [(UInt8, UInt8, AntennaState?)])
    func antenna(state: UInt8, power: UInt8, expected: AntennaState?) {
        var sample = PVTSample()
        (sample.fixType, sample.flags) = (0, 0)
        var bench = UBXBench()
        bench.feed(UBXPart.hardware(antenna: state, power: power) + sample.frame, atMillis: 0)
        #expect(bench.health == [ReceiverHealth(antenna: expected, jamming: 5)])
        #expect(bench.fixes.isEmpty)
        #expect(bench.decoder.counters.noFixEpochs == 1)
    }

    @Test("MON-RF gives the worst of all bands, MON-HW of u-blox 6 has its indicator elsewhere")
    func radio() {
        func band(_ antenna: UInt8, _ jamming: UInt8) -> [UInt8] {
            [0, 0, antenna, 1] + [UInt8](repeating: 0, count: 12) + [jamming] + [UInt8](repeating: 0, count: 7)
        }
        var old = [UInt8](repeating: 0, count: 68)
        (old[20], old[21], old[53]) = (2, 1, 77)
        var bench = UBXBench()
        bench.feed(ubxFrame(0x0A, 0x38, [0, 2, 0, 0] + band(2, 7) + band(4, 3)), atMillis: 0)
        bench.feed(ubxFrame(0x0A, 0x09, old), atMillis: 0)
        bench.feed(ubxFrame(0x0A, 0x38, [0, 3, 0, 0] + band(2, 7)), atMillis: 0)
        #expect(
            bench.health == [ReceiverHealth(antenna: .open, jamming: 7), ReceiverHealth(antenna: .ok, jamming: 77)])
        #expect(bench.decoder.counters.malformed == 1)
    }
}
