import GNSSCodecs
import Ports
import Recordings
import TrackerEngine
import TrackerModel
import WireText

/// One replay: moves the clock from item to item and hands each to the runtime as live ones come.
struct ReplayPlayer {
    /// After the last item, so that the last epoch is closed.
    private static let lastMillis: Int64 = 1_000

    private var recording: MergedRecording
    private let settings: Replay.Settings
    private let reactor: ManualReactor
    private let stream: ReplayStream
    private let runtime: Runtime
    private let story = ReplayStory()
    private let samples: RecordedSamples
    private var fixes: Int64 = 0
    private var restarts: Int64 = 0

    init(_ recording: MergedRecording, name: String, config: TrackerConfig, _ settings: Replay.Settings) {
        self.recording = recording
        self.settings = settings
        reactor = ManualReactor(now: recording.start)
        stream = ReplayStream(name: name)
        var config = config
        config.uploadURL = ""
        // What was recorded is what there was: a receiver that is a file cannot rest.
        config.powerControl = .none
        var dating = GNSSDecoderConfig(buildDate: UTCTime(millis: 0))
        if let recordedOn = settings.recordedOn { dating.trustRecording(of: recordedOn, isFirstDay: false) }
        runtime = Runtime(
            config: config,
            host: HostFacts(
                bootID: "replay", version: "replay", processID: 0, timeScale: 1, buildDate: dating.buildDate),
            ports: RuntimePorts(
                reactor: reactor, stream: stream, store: settings.store, log: settings.log, digests: settings.digests,
                calendar: settings.calendar, bus: settings.bus?(reactor), load: ReplayLoad(reactor)),
            freshSessionID: "replay")
        samples = RecordedSamples(runtime)
        runtime.recordedSamples = samples
        listen()
    }

    private func listen() {
        runtime.onEvent = { [story, reactor, start = recording.start] event in
            guard case .motionChange(let state) = event else { return }
            let at = reactor.now.millis(since: start)
            story.motion.append(["atSec": .fixed(at, places: 3), "state": .string(state.rawValue)])
        }
        runtime.onDecision = settings.onDecision
    }

    mutating func play() throws(Replay.Failure) -> JSONObject {
        do throws(StoreFailure) {
            try runtime.start(listensToReceiver: recording.hasReceiver, judgesSensors: false)
        } catch { throw .store(error) }
        defer { runtime.stop() }
        while let item = try next() {
            settings.wait?(item.instant.nanos(since: recording.start))
            reactor.advance(to: item.instant)
            deliver(item)
        }
        let end = reactor.now
        let use = runtime.energyOfRun
        reactor.advance(byMillis: Self.lastMillis)
        return report(durationMillis: end.millis(since: recording.start), use)
    }

    private mutating func next() throws(Replay.Failure) -> MergedRecording.Item? {
        do throws(RecordingFailure) { return try recording.next() } catch { throw .recording(error) }
    }

    private mutating func deliver(_ item: MergedRecording.Item) {
        if item.isAfterRestart {
            restarts += 1
            runtime.rebooted()
        }
        switch item.content {
        case .fix(let fix):
            if let offer = settings.onOffer {
                offer(Int(fixes))
                runtime.fixOffered(fix)
            } else {
                runtime.fixArrived(fix)
            }
            fixes += 1
        case .motion(let sample): samples.take(sample)
        case .bytes(let bytes): stream.deliver(bytes)
        }
    }

    private func report(durationMillis: Int64, _ use: EnergyUse) -> JSONObject {
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
            "badChecksums": .int(counters.checksumErrors), "fixes": .int(runtime.receiver.fixes + fixes),
            "noFixEpochs": .int(counters.noFixEpochs), "restarts": .int(restarts),
            "pointsStored": .int(runtime.sessionPoints), "rejected": .object(rejected),
            "decisions": .object(reasons), "motion": .array(story.motion),
            "distanceM": .fixed(runtime.lastStored?.odometerMM ?? 0, places: 3),
            "durationSec": .fixed(durationMillis, places: 3), "energy": .object(use.json),
        ]
    }
}

/// What a replay costs its host: a wake-up for each moment at which something happened. Processor time is the business
/// of the machine that it runs on.
private final class ReplayLoad: HostLoad {
    private let reactor: ManualReactor

    init(_ reactor: ManualReactor) { self.reactor = reactor }

    var wakeUps: Int64 { reactor.moments }
    var contextSwitches: Int64 { reactor.moments }
    var cpuMillis: Int64 { 0 }
}

/// What happened on the way.
private final class ReplayStory {
    var motion: [JSONValue] = []
}
