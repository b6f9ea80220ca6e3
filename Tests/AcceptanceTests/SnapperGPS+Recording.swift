import Foundation
import TestKit
import TrackJudge
import TrackerModel
import WireText

/// As recordings for `tracker replay` and `tracker judge`.
extension SnapperGPS {
    /// Radii of a circle that hold 68 and 50 % of a two-dimensional normal distribution.
    private static let radiusFactor = 1.5096 / 1.1774

    /// Its fixes as lines, by time; of several of one time the first counts.
    var fixLines: String {
        let sorted = fixes.enumerated().sorted {
            ($0.element.time.millis, $0.offset) < ($1.element.time.millis, $1.offset)
        }
        var text = ""
        var last: UTCTime?
        for (_, fix) in sorted where fix.time != last {
            text += Self.line(fix)
            last = fix.time
        }
        return text
    }

    var truthRecording: Recording {
        Recording(
            format: .jsonLines, positions: truth.map { TimedPosition(time: $0.time, position: $0.coordinate) })
    }

    /// Writes `NAME.fixes.jsonl` and `NAME.truth.jsonl` to the folder that `TRACKER_KEEP_RECORDINGS` names, if any, to
    /// look at them with the command line.
    func keep() throws {
        guard let folder = ProcessInfo.processInfo.environment["TRACKER_KEEP_RECORDINGS"] else { return }
        try fixLines.write(toFile: "\(folder)/\(name).fixes.jsonl", atomically: true, encoding: .utf8)
        try truth.map(Self.line).joined()
            .write(toFile: "\(folder)/\(name).truth.jsonl", atomically: true, encoding: .utf8)
    }

    private static func line(_ position: Position) -> String {
        let radius = position.confidenceM.map { ($0 * radiusFactor * 1_000).rounded() / 1_000 }
        let accuracy = radius.map { $0 > 0 ? "\"acc\":\($0)," : "" } ?? ""
        let (latitude, longitude) = (position.coordinate.latitude, position.coordinate.longitude)
        let seconds = FixedPoint.text(position.time.millis, places: 3)
        return "{\(accuracy)\"lat\":\(latitude),\"lon\":\(longitude),\"t\":\(seconds)}\n"
    }
}
