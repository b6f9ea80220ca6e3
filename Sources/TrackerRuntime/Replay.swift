import GNSSCodecs
public import Ports
public import Recordings
import SyncEngine
public import TrackerModel
public import WireText

/// Runs recordings through the whole runtime on the manual reactor: the same decisions as live, as fast as the machine.
public enum Replay {
    /// What a replay found, ready to print; the same input gives the same report.
    public struct Report {
        public var json: JSONObject
    }

    /// Why a replay ended early.
    public enum Failure: Error {
        case recording(RecordingFailure)
        case store(StoreFailure)

        public var text: String {
            switch self {
            case .recording(let failure): failure.text
            case .store(let failure): failure.message
            }
        }
    }

    /// Who takes part beside the runtime, and how.
    public struct Settings {
        /// Where the points go.
        public var store: any TrackStore = ReplayStore()
        public var log: any LogSink
        public var digests: any Digests
        public var calendar: any ZoneCalendar
        /// About the day of receiver logs, to correct the dates of receivers whose week count has rolled over; `nil`
        /// believes every date.
        public var recordedOn: UTCTime?
        /// Builds a simulated accelerometer on the replay's reactor; `nil` for none.
        public var bus: ((ManualReactor) -> any RegisterBus)?
        /// Returns when it is time for what lies this many nanoseconds after the beginning; `nil` never waits.
        public var wait: ((_ offsetNanos: Int64) -> Void)?
        /// Hears every decision once it is stored, with the point that it kept.
        public var onDecision: ((Decision, TrackPoint?) -> Void)?

        /// Judges each fix as it comes instead of when it is due, and hears the number of each before, from 0.
        var onOffer: ((Int) -> Void)?

        public init(log: any LogSink, digests: any Digests, calendar: any ZoneCalendar) {
            self.log = log
            self.digests = digests
            self.calendar = calendar
        }
    }

    /// - Throws: `Failure`; what was decided before has been told.
    public static func run(
        _ recording: MergedRecording, name: String, config: TrackerConfig, _ settings: Settings
    ) throws(Failure) -> Report {
        var player = ReplayPlayer(recording, name: name, config: config, settings)
        return Report(json: try player.play())
    }
}
