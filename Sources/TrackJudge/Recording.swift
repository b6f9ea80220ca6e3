import TrackerModel

/// What kind of file a recording is.
public enum RecordingFormat: String, Sendable {
    /// One location as a JSON object a line.
    case jsonLines = "JSON Lines"
    case gpx = "GPX"
    case csv = "CSV"
    /// What a receiver sent: NMEA, UBX or both.
    case receiverLog = "receiver log"
}

/// A recorded way: positions in the order of their times. A track may have several of one time.
public struct Recording: Equatable, Sendable {
    public let format: RecordingFormat
    /// Ascending in time; equal times in the order of the file.
    public let positions: [TimedPosition]
    /// What people should know about the file, such as what was left out.
    public private(set) var notes: [String]

    /// - Parameter positions: in the order of the file; put in the order of time here, with a note when that changed it.
    public init(format: RecordingFormat, positions: [TimedPosition], notes: [String] = []) {
        self.format = format
        self.notes = notes
        let backward = zip(positions, positions.dropFirst()).count { $1.time < $0.time }
        guard backward > 0 else {
            self.positions = positions
            return
        }
        self.positions = positions.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        self.notes.append("times go back \(backward) times; put in order")
    }
}
