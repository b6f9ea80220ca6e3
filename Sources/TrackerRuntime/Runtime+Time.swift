import Ports
import TrackerModel
import WireText

/// What time it is, and the receiver's time for the host's clock.
extension Runtime {
    /// The best UTC there is: the receiver's carried on by the boot clock, else the wall clock.
    var utcNow: UTCTime {
        guard let clock else { return ports.reactor.wall.time }
        return clock.utc.advanced(byMillis: ports.reactor.now.millis(since: clock.instant))
    }

    /// The same; `nil` while nobody vouches for it.
    var trustedNow: UTCTime? { clock != nil || ports.reactor.wall.trust == .disciplined ? utcNow : nil }

    /// The date in the device's zone, where it is known.
    var today: String? { trustedNow.map(ports.calendar.localDate) }

    /// Only what a receiver measured in this boot: no simulated or spoofed fix, and none without a basis for its accuracy.
    func offerTime(of fix: TrackFix) {
        guard let sink = ports.timeSink, let time = fix.time, !fix.isMock, !fix.accuracyM.isNaN else { return }
        switch fix.provider {
        case .gnss, .gnssDeadReckoning: sink.offer(time, at: fix.instant)
        case .deadReckoning, .cell, .replay, .external, .unknown: break
        }
    }

    /// `nil` when no clock is fed.
    var timeSinkStatus: JSONValue? {
        guard let sink = ports.timeSink else { return nil }
        var status: JSONObject = ["socket": .string(sink.name), "samples": .int(sink.samples)]
        status["problem"] = sink.problem.map { .string($0) }
        return .object(status)
    }
}
