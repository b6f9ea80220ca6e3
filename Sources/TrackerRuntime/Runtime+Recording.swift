import Ports
import Recordings
import TrackerModel
import WireText

/// What `tracker record` writes down; made only while someone listens.
extension Runtime {
    func publish(_ fix: TrackFix) {
        hub.publish(.fixes, atMillis: ports.reactor.wall.time.millis) { LocationLine(fix, bootID: host.bootID).json }
    }

    func samplesArrived(_ samples: [MotionSample]) {
        hub.publish(.motion, atMillis: ports.reactor.wall.time.millis) { .array(samples.map(\.json)) }
    }
}
