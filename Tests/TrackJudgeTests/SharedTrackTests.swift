import TestKit
import Testing
import TrackerGeo
import TrackerModel
import WireText

@testable import TrackJudge

/// Against recordings whose errors and lengths other software has computed.
@Suite("Tracks of the shared data", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct SharedTrackTests {
    private func rows(_ path: String) throws -> [[String]] {
        try #require(SharedData.text(path)).split(whereSeparator: \.isNewline).dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    private func items(_ path: String) throws -> [JSONObject] {
        let value = try JSONReader.parse(try #require(SharedData.bytes(path)))
        return try #require(value.arrayValue).compactMap(\.objectValue)
    }

    private func position(_ item: JSONObject) throws -> Coordinate {
        Coordinate(
            latitude: try #require(item["latitude"]?.doubleValue),
            longitude: try #require(item["longitude"]?.doubleValue))
    }

    /// Fixes at the nearest whole second, where the truth has it, as the oracle has matched them; and the truth, whose
    /// times of day are of the fixes' date.
    private func recordings(_ name: String) throws -> (fixes: Recording, truth: Recording) {
        let fixes = try items("tracks/snappergps/\(name).fixes.json")
        let date = try #require(fixes.first?["datetime"]?.stringValue).prefix(10)
        let truth = try items("tracks/snappergps/\(name).truth.json").map { item in
            let text = "\(date)T\(try #require(item["time"]?.stringValue))Z"
            return TimedPosition(time: try #require(FileTime.iso(text)), position: try position(item))
        }
        let known = Set(truth.map(\.time))
        let points = try fixes.map { item in
            let time = try #require(item["datetime"]?.stringValue.flatMap(FileTime.iso))
            let second = (time.millis + 500) / 1_000 * 1_000
            return TimedPosition(time: UTCTime(millis: second), position: try position(item))
        }.filter { known.contains($0.time) }
        return (Recording(format: .jsonLines, positions: points), Recording(format: .jsonLines, positions: truth))
    }

    @Test("Errors of raw fixes against RTK truth are those that another geodesic library finds")
    func snapshots() throws {
        let oracle = try rows("tracks/snappergps/errors.csv")
        #expect(oracle.count == 6)
        for row in oracle {
            let (fixes, truth) = try recordings(row[0])
            let found = try Judge.judge(track: fixes, truth: truth)
            let numbers = row.dropFirst().compactMap(Double.init)
            #expect(found.points.scored == Int(numbers[2]), "\(row[0])")
            let error = try #require(found.points.errorM)
            #expect(error.p50.isNear(numbers[3], by: 0.0051), "\(row[0]): median \(error.p50)")
            #expect(error.p95.isNear(numbers[4], by: 0.0051), "\(row[0]): p95 \(error.p95)")
            #expect(error.max.isNear(numbers[5], by: 0.051), "\(row[0]): max \(error.max)")
            // Thinning takes at most 3 % off a walk of tight curves, and nothing is added.
            #expect(found.length.truthM <= numbers[6] + 0.1 && found.length.truthM > numbers[6] * 0.965, "\(row[0])")
        }
    }

    @Test("GPX of many programs has the points and the length that other software finds in it")
    func gpx() throws {
        var (compared, lengths) = (0, 0)
        for row in try rows("tracks/gpx/lengths.csv") {
            let found = try GPXReader.read(try #require(SharedData.bytes("tracks/gpx/" + row[0])))
            let count = try #require(Int(row[3]))
            if found.notes == ["\(count) points without a time are left out"] { continue }
            #expect(found.positions.count == count, "\(row[0])")
            compared += 1
            // One segment, and drawn in the order of the file.
            guard row[2] == "1", found.notes.isEmpty else { continue }
            let positions = found.positions.map(\.position)
            let length = zip(positions, positions.dropFirst()).reduce(0) { $0 + Geodesic.distanceM($1.0, $1.1) }
            #expect(length.isNear(try #require(Double(row[4])), by: 0.001), "\(row[0])")
            lengths += 1
        }
        #expect(compared >= 20 && lengths >= 7)
    }

    @Test("A drive judged against itself, read from GPX and from CSV, has no error")
    func drive() throws {
        let csv = try CSVReader.read(
            try #require(SharedData.bytes("nmea/drives/20100411_Geko_Regensburg.gpsbabel.csv")))
        #expect(csv.positions.count == 774)
        let found = try Judge.judge(track: csv, truth: csv)
        #expect(try #require(found.points.errorM).max == 0)
        #expect(try #require(found.line.errorAtTimeM).max.isNear(0, by: 0.001))
        #expect(try #require(found.line.distanceM).max.isNear(0, by: 0.001))
        #expect(found.missedMoves.count == 0 && found.missedTrips.count == 0 && found.gaps.count == 0)
    }
}
