public import TrackerModel

/// Fixes of one location recording, in the order of its lines.
public struct LocationReader {
    private var lines: RecordingLines
    /// The line of the newest fix, from 1.
    private(set) var line = 0

    public init(name: String, _ read: @escaping RecordingBlocks) {
        lines = RecordingLines(name: name, read)
    }

    public mutating func next() throws(RecordingFailure) -> LocationLine? {
        guard let object = try lines.next() else { return nil }
        line = object.line
        return try LocationLine(object)
    }

    func failure(_ message: String) -> RecordingFailure {
        RecordingFailure(name: lines.name, line: line, message: message)
    }
}

/// Samples of one motion recording, in the order of its lines.
public struct MotionReader {
    private var lines: RecordingLines
    var name: String { lines.name }

    public init(name: String, _ read: @escaping RecordingBlocks) {
        lines = RecordingLines(name: name, read)
    }

    public mutating func next() throws(RecordingFailure) -> MotionSample? {
        guard let object = try lines.next() else { return nil }
        return try MotionSample(object)
    }
}
