import DeviceSimulator
import LinuxIO
import Ports
import TestKit
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

/// A simulated LIS3DH behind the bus port, on the replay's own clock.
final class SimulatedBus: RegisterBus {
    let name = "simulated"
    let isRealDevice = false
    private var chip: SimulatedLIS3DH
    private let reactor: any Reactor

    init(motion: MotionScript, reactor: any Reactor) {
        chip = SimulatedLIS3DH(motion: motion)
        self.reactor = reactor
    }

    func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8] {
        guard let bytes = chip.read(register, count: count, at: reactor.now) else { throw Self.noAnswer }
        return bytes
    }

    func write(_ register: UInt8, _ value: UInt8) throws(BusFailure) {
        guard chip.write(register, value, at: reactor.now) else { throw Self.noAnswer }
    }

    private static let noAnswer = BusFailure(code: .noAnswer, cause: "no acknowledgement", remedy: "check the wiring")
}

struct NoSuchJourney: Error {
    var name: String
}

/// What a replay left behind: its report and every decision, as text that can be compared to the byte.
struct ReplayResult {
    var report: JSONObject
    var decisions: [Decision]
    var points: [TrackPoint]

    init(logs: [[UInt8]], motion: MotionScript? = nil, change: (inout TrackerConfig) -> Void = { _ in }) throws {
        let store = try SQLiteStore(path: ":memory:")
        var config = TrackerConfig()
        change(&config)
        let digests = OpenSSLDigests()
        report = try Replay.run(
            name: "test", logs: logs, config: config, store: store, log: RecordingLog(), digests: digests,
            calendar: SystemZoneCalendar(zoneID: "UTC"),
            bus: motion.map { motion in { SimulatedBus(motion: motion, reactor: $0) } }
        ).json
        decisions = try store.decisions(limit: 50_000)
        points = try store.pending(limit: 50_000)
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
