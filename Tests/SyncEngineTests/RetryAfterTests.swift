import Testing
import TrackerModel
import WireText

@testable import SyncEngine

@Suite("Retry-After and HTTP dates (E-179)")
struct RetryAfterTests {
    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "Seconds are taken, capped before anything is multiplied, and nonsense is no opinion",
        arguments: [
            ("120", 120), (" 120\t", 120), ("1", 1), ("21600", 21_600), ("21601", 21_600), ("99999", 21_600),
            ("10000000000000000", 21_600), ("99999999999999999999999999", 21_600), ("0000120", 120), ("0", nil),
            ("000", nil), ("-5", nil), ("+5", nil), ("1.5", nil), ("", nil), ("soon", nil), ("12 0", nil), ("１２", nil),
        ] as [(String, Int64?)])
    func seconds(text: String, expected: Int64?) {
        #expect(RetryAfter.seconds(text, date: date, trustedNow: nil) == expected)
    }

    @Test("A date is measured from the answer's own Date, else from trusted time, else it says nothing")
    func dates() {
        let later = "Sun, 06 Nov 1994 08:51:37 GMT"
        #expect(RetryAfter.seconds(later, date: date, trustedNow: UTCTime(millis: 0)) == 120)
        let now = HTTPDate.parse(date)?.advanced(byMillis: -500)
        #expect(RetryAfter.seconds(later, date: nil, trustedNow: now) == 121, "never early")
        #expect(RetryAfter.seconds(later, date: "nonsense", trustedNow: now) == 121)
        #expect(RetryAfter.seconds(later, date: nil, trustedNow: nil) == nil)
        #expect(RetryAfter.seconds(date, date: later, trustedNow: nil) == nil, "past")
        #expect(RetryAfter.seconds(date, date: date, trustedNow: nil) == nil)
        #expect(RetryAfter.seconds("Sun, 06 Nov 2094 08:49:37 GMT", date: date, trustedNow: nil) == 21_600)
    }

    @Test(
        "All three forms of a date are read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) {
        #expect(HTTPDate.parse(text) == CivilTime(year: 1994, month: 11, day: 6, hour: 8, minute: 49, second: 37).utc)
    }

    @Test(
        "What is no date is none",
        arguments: [
            "", "GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "1994-11-06T08:49:37Z", "Sun, -6 Nov 1994 08:49:37 GMT x",
        ])
    func noDates(text: String) { #expect(HTTPDate.parse(text) == nil) }

    @Test("A wait goes on in the same boot, is bounded by the ceiling in another, and never grows (E-196)")
    func continued() {
        let wait = SyncBackoff.Wait(until: Instant(millis: 900_000), isServerTime: true, reason: "status 429")
        let backoff = SyncBackoff(attempts: 3, wait: wait)
        func left(_ remaining: Int64, _ elapsed: Int64?) -> Int64? {
            backoff.continued(
                remainingMillis: remaining, elapsedMillis: elapsed, ceilingMillis: 1_800_000,
                now: Instant(millis: 1_000)
            ).wait?.until.millis
        }
        #expect(left(7_200_000, 200_000) == 7_001_000)
        #expect(left(7_200_000, 8_000_000) == 1_000)
        #expect(left(7_200_000, -500_000) == 7_201_000)
        #expect(left(7_200_000, nil) == 1_801_000)
        #expect(left(60_000, nil) == 61_000)
        #expect(left(60_000, .min) == 61_000)
    }
}
