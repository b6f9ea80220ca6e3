public import TrackerModel

/// Fixes of one location recording, in the order of its lines.
public struct LocationReader {
    private let name: String
    private let read: () throws(RecordingFailure) -> (line: LocationLine, number: Int?)?
    /// The line of the newest fix, from 1.
    private(set) var line: Int?

    public init(name: String, _ read: @escaping RecordingBlocks) {
        self.name = name
        var lines = RecordingLines(name: name, read)
        self.read = { () throws(RecordingFailure) -> (line: LocationLine, number: Int?)? in
            guard let object = try lines.next() else { return nil }
            return (try LocationLine(object), object.line)
        }
    }

    /// Fixes that have been read.
    public init(name: String, _ fixes: [LocationLine]) {
        self.name = name
        var rest = fixes[...]
        read = { () throws(RecordingFailure) -> (line: LocationLine, number: Int?)? in
            rest.popFirst().map { ($0, nil) }
        }
    }

    public mutating func next() throws(RecordingFailure) -> LocationLine? {
        guard let (fix, number) = try read() else { return nil }
        line = number
        return fix
    }

    func failure(_ message: String) -> RecordingFailure {
        RecordingFailure(name: name, line: line, message: message)
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
