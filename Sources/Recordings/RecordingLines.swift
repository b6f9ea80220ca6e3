import WireText

/// The objects of a JSON Lines file, one after the other: memory does not grow with the file.
///
/// A last line that is no JSON was cut off by a power failure and is dropped; anywhere else it is an error.
struct RecordingLines {
    /// Bytes of a line at most; what has no line end for longer is no recording.
    static let longestLine = 65_536

    let name: String
    private let read: RecordingBlocks
    private var block: [UInt8] = []
    private var at = 0
    private var isAtEnd = false
    private var number = 0

    init(name: String, _ read: @escaping RecordingBlocks) {
        self.name = name
        self.read = read
    }

    /// The next object; `nil` at the end. Empty lines are passed over.
    mutating func next() throws(RecordingFailure) -> RecordedObject? {
        guard let line = try filledLine() else { return nil }
        let lineNumber = number
        if case .object(let object)? = try? JSONReader.parse(line) {
            return RecordedObject(name: name, line: lineNumber, object: object)
        }
        if try filledLine() == nil { return nil }
        throw RecordingFailure(name: name, line: lineNumber, message: "not a whole JSON object")
    }

    private mutating func filledLine() throws(RecordingFailure) -> [UInt8]? {
        while let line = try anyLine() {
            if line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) { return line }
        }
        return nil
    }

    private mutating func anyLine() throws(RecordingFailure) -> [UInt8]? {
        var line: [UInt8] = []
        while !isAtEnd {
            if at == block.count {
                block = try read()
                at = 0
                isAtEnd = block.isEmpty
                continue
            }
            let end = block[at...].firstIndex(of: 0x0A)
            line += block[at..<(end ?? block.count)]
            at = end.map { $0 + 1 } ?? block.count
            if end != nil || line.count > Self.longestLine { break }
        }
        if isAtEnd, line.isEmpty { return nil }
        number += 1
        if line.count > Self.longestLine {
            throw RecordingFailure(name: name, line: number, message: "longer than \(Self.longestLine) bytes")
        }
        return line
    }
}
