import Recordings
import TestKit
import Testing
import TrackJudge
import TrackerRuntime

/// The constants of the smoother were chosen on these six, so they do not test it independently.
@Suite(
    "Acceptance: recordings with known truth", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
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

    @Test(
        "Without measured speed points err at most half as much as raw fixes, and five of six lengths are within 10 %")
    func snapshots() throws {
        for recording in try SnapperGPS.all() {
            try recording.keep()
            let run = try RecordingRun(try MergedRecording(fixes: recording.fixLines))
            let found = try Judge.judge(track: run.track, truth: recording.truthRecording)
            try points(recording, found, stored: run.points.count)
            try length(recording, found)
        }
    }

    private func points(_ recording: SnapperGPS, _ found: Judgement, stored: Int) throws {
        let error = try #require(found.points.errorM)
        let raw = recording.oracle.p95ErrorM
        AcceptanceTable.expect(
            "real", "\(recording.name), no speed: 95 % and worst error of the points",
            "\(error.p95.brief) m, \(error.max.brief) m in \(stored) points; raw fixes \(raw.brief) m",
            limit: "<= \((raw / 2).brief) m, \(Int(Self.farthestM)) m",
            passed: error.p95 <= raw / 2 && error.max <= Self.farthestM)
    }

    private func length(_ recording: SnapperGPS, _ found: Judgement) throws {
        let percent = try #require(found.length.errorPercent)
        let raw = (recording.oracle.rawLengthM / recording.oracle.trueLengthM - 1) * 100
        AcceptanceTable.expect(
            "real", "\(recording.name), no speed: length of the line",
            "\(percent.brief) % of \(Int(found.length.truthM)) m; raw fixes +\(Int(raw)) %",
            limit: "+- \(Int(Self.lengthPercent)) %", passed: abs(percent) <= Self.lengthPercent,
            orHeldTo: Self.lengthMisses[recording.name].map {
                LesserLimit("+- \(Int($0.percent)) %", abs(percent) <= $0.percent, because: $0.reason)
            })
    }
}
