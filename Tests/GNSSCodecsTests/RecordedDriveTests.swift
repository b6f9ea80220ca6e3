import Foundation
import GNSSCodecs
import TestKit
import Testing
import TrackerModel
import WireText

@Suite("Recorded drives against another decoder", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct RecordedDriveTests {
    /// One row of the oracle; what it does not know is `nil`.
    struct Row {
        let time: String
        let latitude: Double
        let longitude: Double
        let altitudeM: Double?
        let speedMps: Double?
        let satellites: Int?
        let hdop: Double?
    }

    private func rows(_ path: String) throws -> [Row] {
        let lines = try #require(SharedData.text(path)).split(whereSeparator: \.isNewline)
        let names = try #require(lines.first).split(separator: ",").map(String.init)
        return lines.dropFirst().compactMap { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            func cell(_ name: String) -> String? {
                names.firstIndex(of: name).flatMap { $0 < cells.count ? cells[$0] : nil }
            }
            guard let date = cell("Date"), let time = cell("Time"),
                let latitude = cell("Latitude").flatMap(Double.init),
                let longitude = cell("Longitude").flatMap(Double.init)
            else { return nil }
            let fraction = time.contains(".") ? "" : ".000"
            return Row(
                time: date.replacing("/", with: "-") + "T" + time + fraction + "Z", latitude: latitude,
                longitude: longitude, altitudeM: cell("Altitude").flatMap(Double.init),
                speedMps: cell("Speed").flatMap(Double.init), satellites: cell("Satellites").flatMap { Int($0) },
                hdop: cell("HDOP").flatMap(Double.init))
        }
    }

    /// Fixes with a time, in order.
    private func fixes(_ path: String) throws -> [TrackFix] {
        let log = PacedLog(try #require(SharedData.bytes(path)))
        var decoder = GNSSDecoder(config: believing)
        var fixes: [TrackFix] = []
        let keep: (GNSSOutput) -> Void = { output in
            if let fix = output.fix, fix.time != nil { fixes.append(fix) }
        }
        for chunk in log.chunks {
            let instant = Instant(millis: chunk.offsetMillis)
            decoder.expire(at: instant, keep)
            decoder.feed(Array(log.bytes[chunk.range]), at: instant, keep)
        }
        decoder.finish(keep)
        return fixes
    }

    private func near(_ ours: Double?, _ theirs: Double?, by tolerance: Double) -> Bool {
        guard let theirs else { return true }
        return ours.map { abs($0 - theirs) <= tolerance } ?? false
    }

    /// The oracle has six decimals of degrees.
    private func isSolution(_ row: Row, _ fix: TrackFix) -> Bool {
        near(fix.coordinate.latitude, row.latitude, by: 6e-7)
            && near(fix.coordinate.longitude, row.longitude, by: 6e-7)
            && (fix.mode == .twoD || near(fix.altitudeM, row.altitudeM, by: 0.051))
            && (row.satellites.map { $0 == fix.satellitesUsed } ?? true)
    }

    /// The oracle writes a GGA with time and speed of the last RMC and the HDOP of the last GSA before the next GGA:
    /// where those come after, they are of fixes up to one GGA later than the position. Two rows mix further: the
    /// satellites of a GSA with the GGA of dead reckoning (12:30:42), and the HDOP of a GSA 12 s later (13:10:33).
    @Test(
        "Every row of the oracle is a fix of ours, the same to its last digit",
        arguments: [
            ("nmea/drives/20100403_Z205_Switzerland.part1", 4, 2), ("nmea/drives/20100411_Geko_Regensburg", 1, 0),
            ("nmea/parked/signalk-gps.part1", 0, 0),
        ] as [(String, Int, Int)])
    func drive(name: String, fixesLater: Int, mixedRows: Int) throws {
        let fixes = try fixes(name + ".nmea")
        let rows = try rows(name + ".gpsbabel.csv")
        #expect(rows.count > 700)
        let index = Dictionary(
            fixes.enumerated().compactMap { at, fix in fix.time.map { (TimeText.iso($0), at) } },
            uniquingKeysWith: { $1 })
        let differing = rows.filter { row in
            guard let at = index[row.time] else { return true }
            let candidates = fixes[max(0, at - fixesLater)...at]
            // Speeds in the oracle may come from VTG in 0.1 km/h.
            return !candidates.contains { isSolution(row, $0) }
                || !candidates.contains { near($0.speedMps, row.speedMps, by: 0.02) }
                || !candidates.contains { near($0.hdop, row.hdop, by: 0.0051) }
        }
        #expect(differing.count == mixedRows, "\(differing.count) of \(rows.count): \(differing.prefix(3))")
    }
}
