import Ports
import Recordings
import TrackerModel
import WireText

/// What clients of the control socket are told; made only while someone listens.
extension Runtime {
    func publish(_ fix: TrackFix) {
        hub.publish(.fixes, atMillis: ports.reactor.wall.time.millis) { LocationLine(fix, bootID: host.bootID).json }
    }

    /// To who listens on the control socket.
    func publish(_ event: TrackerEvent) {
        let now = utcNow.millis
        hub.publish(.events, event.name, atMillis: now) { event.json }
        if case .location(let point) = event {
            hub.publish(.points, event.name, of: point.sessionID, atMillis: now) { point.json }
        }
    }

    func samplesArrived(_ samples: [MotionSample]) {
        hub.publish(.motion, atMillis: ports.reactor.wall.time.millis) { .array(samples.map(\.json)) }
    }
}
