import Foundation
import TestKit
import TrackerModel

/// Thirty fixes of a simulated run through a city, printed in one of the seed texts: one JSON object a line with `t`,
/// `lat`, `lon`, `acc`, `speed` and `course`, where −1 means unknown.
enum CityRun {
    private struct Line: Decodable {
        var t: Double
        var lat: Double
        var lon: Double
        var acc: Double
        var speed: Double
        var course: Double
    }

    /// `nil` where the seed texts are not there.
    static let fixes: [TrackFix]? = {
        guard let root = SharedData.root else { return nil }
        let folder = (root as NSString).appendingPathComponent("../seeds")
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
        for name in names.sorted() where name.hasSuffix(".txt") {
            let path = (folder as NSString).appendingPathComponent(name)
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            let found = text.split(separator: "\n").filter { $0.hasPrefix("{\"t\":1793197") && $0.hasSuffix("}") }
            // The text shows the first lines before it gives them all.
            let lines = Array(found.suffix(30)).compactMap { line in
                try? JSONDecoder().decode(Line.self, from: Data(line.utf8))
            }
            if lines.count == 30 { return lines.map(fix) }
        }
        return nil
    }()

    private static func fix(_ line: Line) -> TrackFix {
        let millis = Int64((line.t * 1_000).rounded())
        let instant = Instant(millis: millis)
        return TrackFix(
            time: UTCTime(millis: millis), instant: instant, receivedAt: instant,
            coordinate: Coordinate(latitude: line.lat, longitude: line.lon), accuracyM: line.acc,
            speedMps: line.speed < 0 ? nil : line.speed, courseDeg: line.course < 0 ? nil : line.course)
    }
}
