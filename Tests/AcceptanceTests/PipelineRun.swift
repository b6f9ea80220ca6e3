import DeviceSimulator
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

/// A simulated track through the pipeline alone, every fix judged: for what the published figures of the reference were
/// measured on, and to look into the filter.
struct PipelineRun {
    struct Step {
        var fix: TrackFix
        var answer: PipelineAnswer
        /// Where the filter expected the fix, and where it is after it.
        var predicted: Coordinate?
        var filtered: Coordinate?
        /// Under way for certain, after this fix.
        var isLatched: Bool
    }

    private(set) var steps: [Step] = []
    private var pipeline: AcceptancePipeline
    private var past: CaptureState.Anchor?
    private var last: Instant?

    /// - Parameter copies: how often each fix is delivered.
    init(_ fixes: some Sequence<TrackFix>, _ config: PipelineConfig, copies: Int = 1) {
        pipeline = AcceptancePipeline(config)
        for fix in fixes {
            for _ in 0..<copies { judge(fix) }
        }
    }

    init(_ fixes: some Sequence<TrackFix>, _ ruleSet: RuleSet, copies: Int = 1) {
        var config = PipelineConfig()
        config.ruleSet = ruleSet
        self.init(fixes, config, copies: copies)
    }

    private mutating func judge(_ fix: TrackFix) {
        var context = PipelineContext()
        context.receptionGap = last.map { fix.instant.seconds(since: $0) } ?? 0
        last = fix.instant
        let predicted = pipeline.state.filter?.predicted(to: fix.instant, q: 0.3, pipeline.geometry).position
        let elapsed = past.map { fix.instant.seconds(since: $0.instant) } ?? 0
        let answer = pipeline.judge(fix, past: past, elapsed: elapsed, context)
        steps.append(
            Step(
                fix: fix, answer: answer, predicted: predicted, filtered: pipeline.state.filter?.position,
                isLatched: pipeline.state.isLatched))
        guard answer.verdict == .accept, let time = fix.time else { return }
        past = CaptureState.Anchor(
            time: time, instant: fix.instant, latitudeE7: fix.coordinate.latitudeE7,
            longitudeE7: fix.coordinate.longitudeE7, accuracyMM: Int64(fix.accuracyM * 1_000),
            speedMMps: Int64(answer.speedMps * 1_000), movement: answer.movement)
    }

    var stored: Int { steps.count { $0.answer.verdict == .accept } }
    func count(_ reason: DecisionReason) -> Int { steps.count { $0.answer.reason == reason } }
    func share(_ flag: DecisionFlags) -> Double {
        Double(steps.count { $0.answer.flags.contains(flag) }) / Double(max(1, steps.count))
    }
}
