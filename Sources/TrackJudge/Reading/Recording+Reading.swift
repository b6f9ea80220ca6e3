extension Recording {
    /// Reads a file of any format.
    /// - Parameters:
    ///   - name: for where its content does not tell the format, and for advice.
    ///   - decodeLog: makes positions of what a receiver sent.
    public static func read(
        _ bytes: [UInt8], name: String, decodeLog: ([UInt8]) -> Recording
    ) throws(JudgeFailure) -> Recording {
        let recording: Recording
        switch try RecordingFormat.detect(bytes, name: name) {
        case .jsonLines: recording = try JSONLinesReader.read(bytes)
        case .gpx: recording = try GPXReader.read(bytes)
        case .csv: recording = try CSVReader.read(bytes)
        case .receiverLog: recording = decodeLog(bytes)
        }
        guard !recording.positions.isEmpty else {
            let notes = recording.notes.isEmpty ? "" : " (" + recording.notes.joined(separator: "; ") + ")"
            throw JudgeFailure(
                cause: "\(recording.format.rawValue), but no position with a time in it" + notes,
                remedy: "give a file with positions and their times")
        }
        return recording
    }
}
