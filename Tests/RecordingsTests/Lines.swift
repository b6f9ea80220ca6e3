import Recordings
import TrackerModel

/// The bytes of a recording in blocks of a size.
func blocks(of text: String, size: Int = 7) -> RecordingBlocks {
    var rest = Array(text.utf8)[...]
    return { () throws(RecordingFailure) -> [UInt8] in
        let block = rest.prefix(size)
        rest = rest.dropFirst(size)
        return Array(block)
    }
}

func locations(_ text: String, name: String = "fixes", size: Int = 7) -> LocationReader {
    LocationReader(name: name, blocks(of: text, size: size))
}

func samples(_ text: String, name: String = "samples") -> MotionReader {
    MotionReader(name: name, blocks(of: text))
}

extension LocationReader {
    /// All that is left, or the words of the failure.
    mutating func all() throws -> [LocationLine] {
        var lines: [LocationLine] = []
        while let line = try next() { lines.append(line) }
        return lines
    }
}

/// What a body says when it fails; empty when it does not.
func failure(_ body: () throws -> Void) -> String {
    do { try body() } catch let failure as RecordingFailure { return failure.text } catch { return "\(error)" }
    return ""
}
