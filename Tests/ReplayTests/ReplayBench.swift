import DeviceSimulator
import LinuxIO
import Ports
import Recordings
import TestKit
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

/// A simulated chip behind the bus port, on the replay's own clock.
final class SimulatedBus: RegisterBus {
    let name = "simulated"
    let isRealDevice = false
    var address: UInt8 = 0x18
    var chip: ChipOnBus
    private let reactor: any Reactor

    init(chip: ChipOnBus, reactor: any Reactor) {
        self.chip = chip
        self.reactor = reactor
    }

    convenience init(motion: MotionScript, reactor: any Reactor) {
        self.init(chip: ChipOnBus(motion: motion), reactor: reactor)
    }

    func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8] { try transfer(register, count) }

    func write(_ register: UInt8, _ bytes: [UInt8]) throws(BusFailure) { _ = try transfer(register, 0, bytes[0]) }

    private func transfer(_ register: UInt8, _ count: Int, _ value: UInt8? = nil) throws(BusFailure) -> [UInt8] {
        switch chip.transfer(to: address, register, count: count, value: value, at: reactor.now) {
        case .done(let bytes): return bytes
        case .notAcknowledged:
            throw BusFailure(code: .noAnswer, cause: "no acknowledgement", remedy: "check the wiring")
        case .timedOut: throw BusFailure(code: .io, cause: "the bus is held low", remedy: "check the wiring")
        }
    }
}

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
