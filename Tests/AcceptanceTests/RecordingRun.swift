import Recordings
import TestKit
import TrackJudge
import TrackerModel
import TrackerRuntime
import WireText

/// A recording through the whole runtime, as `tracker replay` plays it, and its points as `tracker judge` reads them.
struct RecordingRun {
    private(set) var decisions: [Decision] = []
    private(set) var points: [TrackPoint] = []
    /// Every decision in the order in which it was told.
    private(set) var csv = ""
    /// Seconds from the start at which each motion state was entered, in order.
    private(set) var motion: [(state: String, second: Double)] = []

    init(
        _ recording: MergedRecording, wait: ((Int64) -> Void)? = nil, change: (inout TrackerConfig) -> Void = { _ in }
    ) throws {
        var config = TrackerConfig()
        change(&config)
        var settings = Replay.Settings(log: RecordingLog(), digests: FakeDigests(), calendar: FakeCalendar())
        settings.wait = wait
        let heard = Heard()
        settings.onDecision = { heard.take($0, $1) }
        let report = try Replay.run(recording, name: "recording", config: config, settings).json
        (decisions, points, csv) = (heard.decisions, heard.points, heard.csv)
        motion = (report["motion"]?.arrayValue ?? []).map {
            ($0["state"]?.stringValue ?? "", $0["atSec"]?.doubleValue ?? -1)
        }
    }

    private final class Heard {
        var decisions: [Decision] = []
        var points: [TrackPoint] = []
        var csv = ""

        func take(_ decision: Decision, _ point: TrackPoint?) {
            decisions.append(decision)
            if let point { points.append(point) }
            csv += decision.csv(number: Int64(decisions.count)) + "\n"
        }
    }

    var track: Recording {
        Recording(
            format: .jsonLines,
            positions: points.map {
                TimedPosition(
                    time: $0.time, position: $0.coordinate, accuracyM: Double($0.accuracyMM) / 1_000)
            })
    }
}

extension MergedRecording {
    /// Fixes and samples as the lines of their files.
    init(fixes: String, samples: String? = nil) throws {
        try self.init(
            locations: [LocationReader(name: "fixes", Self.block(fixes))],
            motion: samples.map { [MotionReader(name: "samples", Self.block($0))] } ?? [])
    }

    private static func block(_ text: String) -> RecordingBlocks {
        var rest: [UInt8]? = Array(text.utf8)
        return { () throws(RecordingFailure) -> [UInt8] in
            defer { rest = nil }
            return rest ?? []
        }
    }
}
