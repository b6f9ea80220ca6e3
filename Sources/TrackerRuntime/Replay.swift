import GNSSCodecs
public import Ports
import SyncEngine
public import TrackerModel
public import WireText

/// Runs recordings through the whole runtime on the manual reactor: the same decisions as live, as fast as the machine.
public enum Replay {
    /// What a replay found, ready to print; the same input gives the same report.
    public struct Report {
        public var json: JSONObject
    }

    /// - Parameters:
    ///   - logs: contents of raw receiver logs, played one after the other.
    ///   - store: where the points go, usually in memory.
    ///   - recordedOn: about the day of the recordings, to correct the dates of receivers whose week count has rolled
    ///     over; `nil` believes every date.
    ///   - bus: builds a simulated accelerometer on the replay's reactor; `nil` for none.
    /// - Throws: `StoreFailure` when the session cannot be opened.
    public static func run(
        name: String, logs: [[UInt8]], config: TrackerConfig, store: any TrackStore, log: any LogSink,
        digests: any Digests, calendar: any ZoneCalendar, recordedOn: UTCTime? = nil,
        bus: ((ManualReactor) -> any RegisterBus)? = nil
    ) throws(StoreFailure) -> Report {
        let reactor = ManualReactor()
        let stream = PacedLogStream(name: name, logs: logs, reactor: reactor)
        var config = config
        config.sync.url = nil
        var dating = GNSSDecoderConfig(buildDate: UTCTime(millis: 0))
        if let recordedOn { dating.trustRecording(of: recordedOn, isFirstDay: false) }
        let runtime = Runtime(
            config: config,
            host: HostFacts(
                bootID: "replay", version: "replay", processID: 0, timeScale: 1, buildDate: dating.buildDate),
            ports: RuntimePorts(
                reactor: reactor, stream: stream, store: store, log: log, digests: digests, calendar: calendar,
                bus: bus.map { $0(reactor) }),
            freshSessionID: "replay")
        var motion: [JSONValue] = []
        runtime.onEvent = { event in
            guard case .motionChange(let state) = event else { return }
            motion.append(["atSec": .fixed(reactor.now.millis, places: 3), "state": .string(state.rawValue)])
        }
        try runtime.start()
        while !stream.isFinished, reactor.nextDeadline < .never { reactor.advance(to: reactor.nextDeadline) }
        let end = reactor.now
        // Closes the last epoch.
        reactor.advance(byMillis: 1_000)
        runtime.stop()
        return Report(json: report(runtime, motion: motion, durationMillis: end.millis))
    }

    private static func report(_ runtime: Runtime, motion: [JSONValue], durationMillis: Int64) -> JSONObject {
        let counters = runtime.receiver.counters
        var reasons = JSONObject()
        var rejected = JSONObject()
        for reason in DecisionReason.allCases {
            guard let count = runtime.decisionCounts[reason] else { continue }
            reasons[reason.rawValue] = .int(count)
            if let dropped = runtime.droppedCounts[reason] { rejected[reason.rawValue] = .int(dropped) }
        }
        return [
            "bytes": .int(counters.bytes), "sentences": .int(counters.sentences),
            "badChecksums": .int(counters.checksumErrors), "fixes": .int(runtime.receiver.fixes),
            "noFixEpochs": .int(counters.noFixEpochs), "pointsStored": .int(runtime.sessionPoints),
            "rejected": .object(rejected), "decisions": .object(reasons), "motion": .array(motion),
            "distanceM": .fixed(runtime.lastStored?.odometerMM ?? 0, places: 3),
            "durationSec": .fixed(durationMillis, places: 3),
        ]
    }
}
