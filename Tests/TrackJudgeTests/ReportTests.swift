import Testing
import TrackJudge
import TrackerModel
import WireText

@Suite("The report of a judgement")
struct ReportTests {
    private func report() throws -> JudgeReport {
        var truth = Way()
        truth.go(east: 100, speedMps: 10)
        let track = Recording(format: .csv, positions: truth.points(every: 5, offNorth: 3), notes: ["a note"])
        return JudgeReport(
            try Judge.judge(track: track, truth: truth.recording), track: ("a.csv", track),
            truth: ("b.jsonl", truth.recording))
    }

    @Test("As JSON it has fixed decimals, and null for what cannot be told")
    func json() throws {
        let expected = """
            {"track":{"file":"a.csv","format":"CSV","positions":3,"from":"2026-05-04T07:00:00.000Z",\
            "to":"2026-05-04T07:00:10.000Z","notes":["a note"]},\
            "truth":{"file":"b.jsonl","format":"JSON Lines","positions":11,"from":"2026-05-04T07:00:00.000Z",\
            "to":"2026-05-04T07:00:10.000Z","notes":[]},\
            "points":{"scored":3,"outsideTruth":0,"inTruthHoles":0,"perHour":1080.0,\
            "errorM":{"p50":3.00,"p68":3.00,"p95":3.00,"p99":3.00,"max":3.00}},\
            "line":{"seconds":11,"secondsWithoutLine":0,\
            "errorAtTimeM":{"p50":3.00,"p68":3.00,"p95":3.00,"p99":3.00,"max":3.00},\
            "distanceM":{"p50":3.00,"p68":3.00,"p95":3.00,"p99":3.00,"max":3.00}},\
            "length":{"trackM":100.00,"truthM":100.00,"errorM":0.00,"errorPercent":0.00},\
            "still":{"intervals":0,"seconds":0.000,"falseIntervals":0,"falseMovementM":0.00},\
            "missedMoves":{"count":0,"seconds":0.000,"truthM":0.00},\
            "missedTrips":{"count":0,"seconds":0.000,"truthM":0.00},\
            "turns":{"count":0,"meanM":null,"maxM":0.00,"sumM":0.00},\
            "gaps":{"count":0,"seconds":0.000,"truthM":0.00}}
            """
        #expect(JSONValue.object(try report().json).text == expected)
    }

    @Test("As a page it has the same numbers in columns")
    func page() throws {
        let page = try report().page
        #expect(
            page.contains("metres                                     50 %      68 %      95 %      99 %       max\n"))
        #expect(
            page.contains("error of the points                        3.00      3.00      3.00      3.00      3.00\n"))
        #expect(page.contains("length                               100.00 m, truly 100.00 m: 0.00 m, 0.00 %\n"))
        #expect(
            page.hasPrefix("track                                a.csv: CSV, 3 positions, a note, 2026-05-04T07:00:00"))
    }
}
