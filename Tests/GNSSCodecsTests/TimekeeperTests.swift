import Testing
import TrackerModel
import WireText

@testable import GNSSCodecs

@Suite("Judging the time")
struct TimekeeperTests {
    /// A timekeeper and what it said.
    struct Clock {
        var keeper: GNSSTimekeeper
        var diagnostics: [String] = []

        init(_ buildDate: String = "2026-11-01", lastTrusted: String? = nil, firstDay: String? = nil) {
            keeper = GNSSTimekeeper(
                buildDate: TimeText.parse(buildDate) ?? UTCTime(millis: 0),
                lastTrusted: lastTrusted.flatMap { TimeText.parse($0) },
                firstDay: firstDay.flatMap { TimeText.parse($0) })
        }

        /// - Parameter claim: a UTC, or only a time of day.
        mutating func resolve(
            _ claim: String, at seconds: Double, vouched: Bool = true, resolved: Bool = true, hasFix: Bool = true
        ) -> String {
            let hasDate = claim.contains("T")
            let time = TimeText.parse(hasDate ? claim : "2000-01-01T" + claim) ?? UTCTime(millis: 0)
            let day = time.millis / 86_400_000
            var said: [String] = []
            let resolvedTime = keeper.resolve(
                TimeClaim(
                    timeOfDay: Int(time.millis - day * 86_400_000), date: hasDate ? .day(day) : .absent,
                    isVouched: vouched, isFullyResolved: resolved), hasFix: hasFix,
                at: Instant(millis: Int64(seconds * 1_000))
            ) { said.append($0) }
            diagnostics += said
            return resolvedTime.map { TimeText.iso($0) } ?? "unknown"
        }
    }

    @Test("A date before the build date is moved by 1 024 weeks until it is not, and told once (E-013)")
    func rollover() {
        var clock = Clock()
        #expect(clock.resolve("2007-04-20T12:00:00Z", at: 0) == "2026-12-04T12:00:00.000Z")
        #expect(clock.resolve("2007-04-20T12:00:01Z", at: 1) == "2026-12-04T12:00:01.000Z")
        #expect(clock.diagnostics == ["gnss_week_rollover_corrected"])
        var twice = Clock("2030-01-01")
        #expect(twice.resolve("2000-01-01T00:00:00Z", at: 0) == "2039-04-02T00:00:00.000Z")
    }

    @Test("A day before the build date is no rollover, two are")
    func rolloverEdge() {
        var clock = Clock()
        #expect(clock.resolve("2026-10-31T00:00:00Z", at: 0) == "2026-10-31T00:00:00.000Z")
        #expect(clock.diagnostics.isEmpty)
        #expect(clock.resolve("2026-10-30T23:59:59Z", at: 1).hasPrefix("2046-"))
    }

    @Test("A date of more than 512 weeks before the last trusted time is a rollover, a nearer one is not")
    func lastTrusted() {
        var clock = Clock("2026-11-01", lastTrusted: "2046-06-01")
        #expect(clock.resolve("2026-11-02T00:00:00Z", at: 0) == "2046-06-18T00:00:00.000Z")
        var near = Clock("2026-11-01", lastTrusted: "2030-01-01")
        #expect(near.resolve("2027-01-01T00:00:00Z", at: 0) == "2027-01-01T00:00:00.000Z")
    }

    @Test("Until the leap seconds are known there is no time; then a wrong count is corrected by whole seconds")
    func leapSeconds() {
        var clock = Clock()
        #expect(clock.resolve("2026-12-01T12:00:18Z", at: 0, resolved: false) == "unknown")
        #expect(clock.resolve("2026-12-01T12:00:01Z", at: 1) == "2026-12-01T12:00:01.000Z")
        // The receiver was reset and counts GPS time again.
        #expect(clock.resolve("2026-12-01T12:00:20Z", at: 2, resolved: false) == "2026-12-01T12:00:02.000Z")
        #expect(clock.resolve("2026-12-01T12:05:00Z", at: 3, resolved: false) == "unknown")
        #expect(clock.diagnostics.isEmpty)
    }

    @Test("A step of the receiver by its leap seconds is followed")
    func leapStep() {
        var clock = Clock()
        #expect(clock.resolve("2026-12-01T12:00:18Z", at: 0) == "2026-12-01T12:00:18.000Z")
        #expect(clock.resolve("2026-12-01T12:00:01Z", at: 1) == "2026-12-01T12:00:01.000Z")
        #expect(clock.diagnostics.isEmpty)
    }

    @Test("E-011: a step back is kept and told when it is over a minute")
    func steps() {
        var clock = Clock()
        _ = clock.resolve("2026-12-01T12:00:00Z", at: 0)
        #expect(clock.resolve("2026-12-01T11:59:01Z", at: 1) == "2026-12-01T11:59:01.000Z")
        #expect(clock.diagnostics.isEmpty)
        #expect(clock.resolve("2026-12-01T11:50:00Z", at: 2) == "2026-12-01T11:50:00.000Z")
        #expect(clock.diagnostics == ["clock_step:-542000"])
        _ = clock.resolve("2026-12-01T11:50:01Z", at: 3)
        #expect(clock.diagnostics.count == 1)
    }

    @Test("E-010: the same UTC for over 5 s is told once for each stall")
    func stall() {
        var clock = Clock()
        for second in 0...5 { _ = clock.resolve("2026-12-01T12:00:00Z", at: Double(second)) }
        #expect(clock.diagnostics.isEmpty)
        for second in 6...60 { _ = clock.resolve("2026-12-01T12:00:00Z", at: Double(second)) }
        #expect(clock.diagnostics == ["gnss_time_stalled"])
    }

    @Test("A date that nobody vouches for is not used")
    func notVouched() {
        var clock = Clock()
        #expect(clock.resolve("2026-12-01T12:00:00Z", at: 0, vouched: false) == "unknown")
        _ = clock.resolve("2026-12-01T12:00:01Z", at: 1)
        #expect(clock.resolve("2031-12-01T12:00:02Z", at: 2, vouched: false) == "2026-12-01T12:00:02.000Z")
        #expect(clock.resolve("2031-12-01T12:00:03Z", at: 3, hasFix: false) == "2026-12-01T12:00:03.000Z")
    }

    @Test("A recording without dates has those of its first day, for as long as it goes on")
    func firstDay() {
        var clock = Clock("2000-01-01", firstDay: "2019-03-08")
        let times = (0..<30).map {
            clock.resolve("\((22 + $0) % 24 < 10 ? "0" : "")\((22 + $0) % 24):00:00Z", at: Double($0) * 3_600)
        }
        #expect(times.first == "2019-03-08T22:00:00.000Z" && times.last == "2019-03-10T03:00:00.000Z")
        #expect(clock.resolve("2019-03-12T10:00:00Z", at: 40 * 3_600) == "2019-03-12T10:00:00.000Z")
    }

    @Test("A recording's day moves dates only from 512 weeks on")
    func recording() {
        var config = GNSSDecoderConfig()
        config.trustRecording(of: UTCTime(millis: 1_270_252_800_000), isFirstDay: false)  // 2010-04-03
        for (claim, expected) in [("2010-04-01", "2010"), ("2019-04-06", "2019"), ("2000-08-01", "2020")] {
            var keeper = GNSSTimekeeper(buildDate: config.buildDate)
            let day = (TimeText.parse(claim)?.millis ?? 0) / 86_400_000
            let time = keeper.resolve(
                TimeClaim(timeOfDay: 0, date: .day(day), isVouched: true, isFullyResolved: true), hasFix: true,
                at: .zero
            ) { _ in }
            #expect(time.map { TimeText.iso($0).hasPrefix(expected) == (expected != "2020") } == true, "\(claim)")
        }
    }
}
