import Foundation
import TestKit
import TrackerModel

/// Thirty fixes of a simulated run through a city (spec capture §14), which a text beside the shared data prints: one
/// JSON object a line with `t`, `lat`, `lon`, `acc`, `speed` and `course`, where −1 means unknown.
enum CityRun {
    private struct Line: Decodable {
        var t: Double
        var lat: Double
        var lon: Double
        var acc: Double
        var speed: Double
        var course: Double
    }

    static func read() throws -> [TrackFix] {
        guard let root = SharedData.root else { throw SharedDataFailure("there is no shared data") }
        let folder = (root as NSString).appendingPathComponent("../seeds")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".txt") {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let found = text.split(separator: "\n").filter { $0.hasPrefix("{\"t\":1793197") && $0.hasSuffix("}") }
            // The text shows the first lines before it gives them all.
            let lines = try found.suffix(30).map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            if lines.count == 30 { return lines.map(fix) }
        }
        throw SharedDataFailure("none of \(folder)/*.txt prints the 30 fixes of the city run")
    }

    private static func fix(_ line: Line) -> TrackFix {
        let millis = Int64((line.t * 1_000).rounded())
        let instant = Instant(millis: millis)
        return TrackFix(
            time: UTCTime(millis: millis), instant: instant, receivedAt: instant,
            coordinate: Coordinate(latitude: line.lat, longitude: line.lon), accuracyM: line.acc,
            speedMps: line.speed < 0 ? nil : line.speed, courseDeg: line.course < 0 ? nil : line.course)
    }
}
