import DeviceSimulator
import LinuxIO
import Ports
import Recordings
import TestKit
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

struct NoSuchJourney: Error {
    var name: String
}

/// What a replay left behind: its report and every decision, as text that can be compared to the byte.
struct ReplayResult {
    var report: JSONObject
    var decisions: [Decision]
    var points: [TrackPoint]
    /// Every decision in the order in which it was told.
    var csv: String

    init(logs: [[UInt8]], motion: MotionScript? = nil, change: (inout TrackerConfig) -> Void = { _ in }) throws {
        let logs = logs.map { ReceiverLog(pacing: $0, name: "test") }
        try self.init(try MergedRecording(logs: logs), motion: motion, change: change)
    }

    /// - Parameter wait: as in `Replay.Settings`.
    init(
        _ recording: MergedRecording, motion: MotionScript? = nil, wait: ((Int64) -> Void)? = nil,
        change: (inout TrackerConfig) -> Void = { _ in }
    ) throws {
        var config = TrackerConfig()
        change(&config)
        let store = try SQLiteStore(path: ":memory:", layers: config.layers)
        var settings = Replay.Settings(
            log: RecordingLog(), digests: OpenSSLDigests(), calendar: SystemZoneCalendar(zoneID: "UTC"))
        settings.store = store
        settings.bus = motion.map { motion in { SimulatedBus(motion: motion, reactor: $0) } }
        settings.wait = wait
        let rows = Rows()
        settings.onDecision = { decision, _ in rows.csv += decision.csv(number: Int64(rows.count)) + "\n" }
        report = try Replay.run(recording, name: "test", config: config, settings).json
        decisions = try store.decisions(LayerPage(limit: 50_000)).map(\.decision)
        points = try store.pending(limit: 50_000)
        csv = rows.csv
    }

    private final class Rows {
        var csv = "" { didSet { count += 1 } }
        var count = 1
    }

    init(journey name: String, withAccelerometer: Bool = false, change: (inout TrackerConfig) -> Void = { _ in }) throws
    {
        guard let journey = Journey(name) else { throw NoSuchJourney(name: name) }
        try self.init(logs: [journey.nmea()], motion: withAccelerometer ? journey.motion : nil, change: change)
    }

    func count(_ field: String) -> Int64 { report[field]?.intValue ?? 0 }

    /// Seconds at which each motion state was entered, in order.
    var motion: [(state: String, second: Double)] {
        (report["motion"]?.arrayValue ?? []).map { ($0["state"]?.stringValue ?? "", $0["atSec"]?.doubleValue ?? -1) }
    }
}
