import Ports
public import Recordings
import TrackerEngine
public import TrackerModel

/// A fixture judged again, and what of it was expected otherwise.
public struct JudgedFixture {
    /// A fix whose decision is not the expected one; none when it was not judged at all.
    public struct Mismatch: Equatable {
        public var expected: Fixture.Expectation
        public var decision: Decision?

        /// `fix 12: expected REJECT Heuristic Gate, got ACCEPT Vehicular`.
        public var text: String {
            let found = decision.map { "\($0.verdict.rawValue) \($0.reason.rawValue)" } ?? "no decision"
            return
                "fix \(expected.index): expected \(expected.verdict.rawValue) \(expected.reason.rawValue), got \(found)"
        }
    }

    public var report: Replay.Report
    public var mismatches: [Mismatch]
}

extension Replay {
    /// Judges every fix of a fixture as it comes: its fixes are those that were due, so that the cadence has no say.
    /// - Parameter config: what judges; `knowsBoots` and what chooses among fixes are set here.
    public static func run(
        _ fixture: Fixture, config: TrackerConfig, _ settings: Settings
    ) throws(Failure) -> JudgedFixture {
        var config = config
        config.capture.knowsBoots = fixture.knowsBoots
        config.capture.turnBurst = false
        config.capture.rule = .interval
        let recording: MergedRecording
        do throws(RecordingFailure) {
            recording = try MergedRecording(locations: [LocationReader(name: fixture.name, fixture.fixes)])
        } catch { throw .recording(error) }
        let answers = Answers()
        var settings = settings
        let hear = settings.onDecision
        settings.onDecision = { decision, point in
            answers.decisions[answers.index] = decision
            hear?(decision, point)
        }
        settings.onOffer = { answers.index = $0 }
        let report = try run(recording, name: fixture.name, config: config, settings)
        let mismatches = fixture.expected.compactMap { expected -> JudgedFixture.Mismatch? in
            let decision = answers.decisions[expected.index]
            if let decision, decision.verdict == expected.verdict, decision.reason == expected.reason { return nil }
            return JudgedFixture.Mismatch(expected: expected, decision: decision)
        }
        return JudgedFixture(report: report, mismatches: mismatches)
    }

    private final class Answers {
        var index = 0
        var decisions: [Int: Decision] = [:]
    }
}
