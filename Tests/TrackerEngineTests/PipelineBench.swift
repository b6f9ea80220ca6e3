import TrackerGeo
import TrackerModel

@testable import TrackerEngine

/// Feeds fixes to a pipeline and keeps the last stored point as the engine does.
struct PipelineBench {
    var pipeline: AcceptancePipeline
    var past: CaptureState.Anchor?
    var last: Instant?
    var context = PipelineContext()
    private let frame = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))

    init(_ change: (inout PipelineConfig) -> Void = { _ in }) {
        var config = PipelineConfig()
        change(&config)
        pipeline = AcceptancePipeline(config)
    }

    func fix(
        _ seconds: Double, _ east: Double, _ north: Double = 0, accuracy: Double = 5, speed: Double? = 0,
        course: Double? = nil, provider: FixProvider = .gnss
    ) -> TrackFix {
        let instant = Instant(nanos: Int64(seconds * 1e9))
        return TrackFix(
            time: UTCTime(millis: Int64(seconds * 1_000)), instant: instant, receivedAt: instant,
            coordinate: frame.position(east: east, north: north), accuracyM: accuracy, speedMps: speed,
            courseDeg: course, provider: provider)
    }

    @discardableResult
    mutating func judge(_ fix: TrackFix, gap: Double? = nil) -> PipelineAnswer {
        let elapsed = past.map { fix.instant.seconds(since: $0.instant) } ?? 0
        context.receptionGap = gap ?? last.map { fix.instant.seconds(since: $0) } ?? 0
        last = fix.instant
        let answer = pipeline.judge(fix, past: past, elapsed: elapsed, context)
        if answer.verdict == .accept {
            past = CaptureState.Anchor(
                time: UTCTime(millis: fix.instant.millis), instant: fix.instant, latitudeE7: fix.coordinate.latitudeE7,
                longitudeE7: fix.coordinate.longitudeE7, accuracyMM: Int64(fix.accuracyM * 1_000),
                speedMMps: Int64(answer.speedMps * 1_000), movement: answer.movement)
        }
        return answer
    }

    /// A drive east at 15 m/s with Doppler every 12 s, ending at the returned second and place.
    mutating func drive(_ fixes: Int = 10) -> (second: Double, east: Double) {
        for index in 0..<fixes { judge(fix(Double(index) * 12, Double(index) * 180, speed: 15, course: 90)) }
        return (Double(fixes - 1) * 12, Double(fixes - 1) * 180)
    }
}
