import Recordings
import TrackerModel
import TrackerRuntime
import WireText

/// Made-up recordings for tests.
enum Made {
    static func reader(_ text: String, name: String = "made") -> LocationReader {
        LocationReader(name: name, blocks(of: text))
    }

    static func samples(_ text: String) -> MotionReader { MotionReader(name: "samples", blocks(of: text)) }

    private static func blocks(of text: String) -> RecordingBlocks {
        var rest: [UInt8]? = Array(text.utf8)
        return { () throws(RecordingFailure) -> [UInt8] in
            defer { rest = nil }
            return rest ?? []
        }
    }

    /// A drive to the north, a fix a second, that stands still for the last `parked` seconds.
    static func drive(
        seconds: Int, parked: Int = 0, from first: Int = 1_000, metresPerSecond: Double = 12, boot: String? = nil,
        start: Double = 46
    ) -> String {
        var text = ""
        for second in 0..<seconds + parked {
            let isDriving = second < seconds
            let metres = Double(min(second, seconds)) * metresPerSecond
            var fix = TrackFix(
                time: UTCTime(millis: 1_777_878_000_000 + Int64(first + second) * 1_000),
                instant: Instant(millis: Int64(first + second) * 1_000), receivedAt: .zero,
                coordinate: Coordinate(latitude: start + metres / 111_200, longitude: 7), accuracyM: 4)
            fix.speedMps = isDriving ? metresPerSecond : 0
            fix.courseDeg = isDriving ? 0 : nil
            text += LocationLine(fix, bootID: boot).json.text + "\n"
        }
        return text
    }

    /// 50 samples a second of a device that lies still or is shaken.
    static func motion(seconds: Int, from first: Int, isStill: Bool) -> String {
        var text = ""
        for tick in 0..<seconds * 50 {
            let sway = isStill ? 0.001 : 0.2
            let sample = MotionSample(
                instant: Instant(millis: Int64(first) * 1_000 + Int64(tick) * 20), x: 0, y: 0,
                z: 1 + (tick % 2 == 0 ? sway : -sway))
            text += sample.json.text + "\n"
        }
        return text
    }
}
