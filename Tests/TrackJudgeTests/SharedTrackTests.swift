import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackJudge

/// Against recordings whose errors and lengths other software has computed.
@Suite("Tracks of the shared data", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct SharedTrackTests {
    private func rows(_ path: String) throws -> [[String]] {
        try #require(SharedData.text(path)).split(whereSeparator: \.isNewline).dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// Fixes at the nearest whole second, where the truth has it, as the oracle has matched them; and the truth.
    private func recordings(_ recording: SnapperGPS) -> (fixes: Recording, truth: Recording) {
        let truth = recording.truth.map { TimedPosition(time: $0.time, position: $0.coordinate) }
        let known = Set(truth.map(\.time))
        let fixes = recording.fixes.map { fix in
            let second = (fix.time.millis + 500) / 1_000 * 1_000
            return TimedPosition(time: UTCTime(millis: second), position: fix.coordinate)
        }.filter { known.contains($0.time) }
        return (Recording(format: .jsonLines, positions: fixes), Recording(format: .jsonLines, positions: truth))
    }

    @Test("Errors of raw fixes against RTK truth are those that another geodesic library finds")
    func snapshots() throws {
        for recording in try SnapperGPS.all() {
            let (fixes, truth) = recordings(recording)
            let (oracle, name) = (recording.oracle, recording.name)
            let found = try Judge.judge(track: fixes, truth: truth)
            #expect(found.points.scored == oracle.scored, "\(name)")
            let error = try #require(found.points.errorM)
            #expect(error.p50.isNear(oracle.medianErrorM, by: 0.0051), "\(name): median \(error.p50)")
            #expect(error.p95.isNear(oracle.p95ErrorM, by: 0.0051), "\(name): p95 \(error.p95)")
            #expect(error.max.isNear(oracle.maxErrorM, by: 0.051), "\(name): max \(error.max)")
            // Thinning takes at most 3.5 % off a walk of tight curves, and nothing is added.
            let length = found.length.truthM
            #expect(length <= oracle.trueLengthM + 0.1 && length > oracle.trueLengthM * 0.965, "\(name)")
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
