import Testing
import TrackerModel
import WireText

@Suite("Numbers and times as text")
struct TextTests {
    @Test(
        "Fixed point keeps sign, leading zeros and all places",
        arguments: [
            (468_032_533, 7, "46.8032533"), (-1, 7, "-0.0000001"), (0, 2, "0.00"), (-1_234, 3, "-1.234"), (42, 0, "42"),
            (Int64.min, 3, "-9223372036854775.808"),
        ] as [(Int64, Int, String)])
    func fixed(units: Int64, places: Int, text: String) {
        #expect(FixedPoint.text(units, places: places) == text)
    }

    @Test("A measured value is rounded at the border; what is not finite is absent")
    func decimal() {
        #expect(JSONValue.decimal(46.80325334, places: 7)?.text == "46.8032533")
        #expect(JSONValue.decimal(-0.04, places: 1)?.text == "0.0")
        #expect(JSONValue.decimal(.nan, places: 1) == nil)
        #expect(JSONValue.decimal(1e300, places: 1) == nil)
    }

    @Test(
        "Times read and write ISO-8601",
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2000-02-29T23:59:59.999Z", 951_868_799_999),
            ("2010-04-03T12:22:26.000Z", 1_270_297_346_000), ("1969-12-31T23:59:59.000Z", -1_000),
            ("2100-03-01T00:00:00.000Z", 4_107_542_400_000),
        ] as [(String, Int64)])
    func iso(text: String, millis: Int64) {
        #expect(TimeText.iso(UTCTime(millis: millis)) == text)
        #expect(TimeText.parse(text) == UTCTime(millis: millis))
    }

    @Test(
        "Dates that do not exist and other shapes are not read",
        arguments: [
            "2023-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "2024-01-01T25:00:00Z", "now", "",
            "2024-01-01T00:00:00",
        ])
    func refused(text: String) {
        #expect(TimeText.parse(text) == nil)
    }

    @Test("Every day of 400 years round-trips")
    func everyDay() {
        var expected: Int64 = CivilTime(year: 1900, month: 1, day: 1).dayNumber
        for year in 1900..<2300 {
            for month in 1...12 {
                for day in 1...31 where CivilTime(year: year, month: month, day: day).isRealDate {
                    let civil = CivilTime(year: year, month: month, day: day)
                    #expect(civil.dayNumber == expected)
                    #expect(CivilTime(civil.utc) == civil)
                    expected += 1
                }
            }
        }
    }

    @Test("Hexadecimal reads back what it wrote, in either case, and nothing else")
    func hex() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Hex.bytes(Hex.text(bytes)) == bytes)
        #expect(Hex.bytes("B562") == [0xB5, 0x62])
        for odd in ["b", "0g", "+1", "0x"] { #expect(Hex.bytes(odd) == nil) }
    }
}
