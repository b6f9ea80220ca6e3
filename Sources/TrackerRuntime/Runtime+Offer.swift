import Ports
import TrackerEngine
import TrackerModel
import WireText

/// Fixes that another program hands in (spec api §2, `offerFix`).
extension Runtime {
    static let fixArguments = [
        "timeMs", "monotonicNanos", "latitude", "longitude", "accuracyM", "altitudeM", "speedMps", "bearingDeg",
        "hasSpeed", "hasBearing", "isMock",
    ]
    /// What no fix exceeds, degrees and metres; as in a recording. Nonsense below it is judged, and refused there.
    private static let farthest: ClosedRange<Double> = -1e9...1e9
    /// m/s, above the speed of any orbit.
    private static let fastest: ClosedRange<Double> = 0...12_000

    /// Judged like a fix of the receiver, except that it sets no clock. The answer has its decision; none when the fix is
    /// not due, as most of a receiver's are not.
    func offerFix(_ arguments: JSONObject) -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in
            let fix = try Self.fix(arguments, now: ports.reactor.now) { [unowned self] in trustedUTC(at: $0) }
            guard session != nil else { throw OperationRefusal(.notReady, "no session is open; start one first") }
            var judged: (decision: Decision, point: TrackPoint?)?
            let listener = onDecision
            onDecision = { decision, point in
                if decision.instant == fix.instant { judged = (decision, point) }
                listener?(decision, point)
            }
            publish(fix)
            fences.fixArrived(fix)
            step(.fixDetermined(fix))
            onDecision = listener
            // Judged, and held in memory until the store takes it.
            if let failure = journal.failure { throw OperationRefusal(failure) }
            var result: JSONObject = ["judged": .bool(judged != nil)]
            result["decision"] = judged.map { $0.decision.eventJSON }
            result["point"] = judged?.point.map { $0.json }
            return .object(result)
        }
    }

    private func trustedUTC(at instant: Instant) -> UTCTime? {
        trustedNow?.advanced(byMillis: -ports.reactor.now.millis(since: instant))
    }

    private static func fix(
        _ arguments: JSONObject, now: Instant, utc: (Instant) -> UTCTime?
    ) throws(OperationRefusal) -> TrackFix {
        var reader = ArgumentReader(arguments)
        reader.need("latitude")
        reader.need("longitude")
        let nanos = reader.integer("monotonicNanos", 0...max(0, now.nanos)) ?? 0
        let instant = nanos == 0 ? now : Instant(nanos: nanos)
        let time = reader.time("timeMs")
        let place = Coordinate(
            latitude: reader.number("latitude", farthest) ?? .nan,
            longitude: reader.number("longitude", farthest) ?? .nan)
        let accuracy = reader.number("accuracyM", farthest)
        let altitude = reader.number("altitudeM", farthest)
        let speed = reader.number("speedMps", fastest)
        let bearing = reader.number("bearingDeg", 0...360)
        let hasSpeed = reader.flag("hasSpeed") ?? true
        let hasBearing = reader.flag("hasBearing") ?? true
        let isMock = reader.flag("isMock") ?? false
        try reader.check()
        return TrackFix(
            time: time ?? utc(instant), instant: instant, receivedAt: now, coordinate: place,
            accuracyM: accuracy ?? .nan, altitudeM: altitude, speedMps: hasSpeed ? speed : nil,
            courseDeg: hasBearing ? bearing.map { $0 == 360 ? 0 : $0 } : nil, provider: .external, isMock: isMock)
    }
}
