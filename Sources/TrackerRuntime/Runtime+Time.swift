import Ports
import TrackerModel
import WireText

/// The receiver's time for the host's clock.
extension Runtime {
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
