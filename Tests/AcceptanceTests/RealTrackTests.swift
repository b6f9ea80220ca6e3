import Recordings
import TestKit
import Testing
import TrackJudge
import TrackerRuntime

@Suite(
    "Acceptance: recordings with known truth", .enabled(if: !SnapperGPS.all.isEmpty, "skipped: no shared data"))
struct RealTrackTests {
    private static let farthestM = 500.0
    private static let lengthPercent = 10.0
    /// Lengths that are missed, and how far off they may be, percent of the truth.
    private static let lengthMisses = [
        "w00": (
            reason: "a walk in tight curves; straight lines between its true places 12 s apart are 12 % short already",
            percent: 25.0
        )
    ]

    @Test("Points keep to the truth and the length comes near it where the receiver measures no speed")
    func snapshots() throws {
        let recordings = SnapperGPS.all
        #expect(recordings.count == 6)
        for recording in recordings {
            let run = try RecordingRun(try MergedRecording(fixes: recording.fixes))
            let found = try Judge.judge(track: run.track, truth: recording.truth)
            try points(recording, found, stored: run.points.count)
            try length(recording, found)
        }
    }

    private func points(_ recording: SnapperGPS, _ found: Judgement, stored: Int) throws {
        let error = try #require(found.points.errorM)
        let limit = recording.rawP95M / 2
        let ok = AcceptanceTable.record(
            "real", "\(recording.name), no speed: 95 % and worst error of the points",
            "\(error.p95.brief) m, \(error.max.brief) m in \(stored) points; raw fixes \(recording.rawP95M.brief) m",
            limit: "<= \(limit.brief) m, \(Int(Self.farthestM)) m",
            passed: error.p95 <= limit && error.max <= Self.farthestM)
        #expect(ok, "\(recording.name): \(error)")
    }

    private func length(_ recording: SnapperGPS, _ found: Judgement) throws {
        let percent = try #require(found.length.errorPercent)
        let raw = abs(recording.rawLengthM / recording.trueLengthM - 1) * 100
        guard raw > Self.lengthPercent else { return }
        let isMet = abs(percent) <= Self.lengthPercent
        let miss = isMet ? nil : Self.lengthMisses[recording.name]
        let ok = AcceptanceTable.record(
            "real", "\(recording.name), no speed: length of the line",
            "\(percent.brief) % of \(Int(found.length.truthM)) m; raw fixes +\(Int(raw)) %",
            limit: "+- \(Int(Self.lengthPercent)) %" + (miss.map { ", held to \(Int($0.percent)) %" } ?? ""),
            passed: abs(percent) <= miss?.percent ?? Self.lengthPercent, miss: miss?.reason)
        #expect(ok, "\(recording.name): \(percent) %")
    }
}
