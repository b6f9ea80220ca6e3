/// Bytes of a receiver, cut where they were read.
public struct ReceiverLog {
    public var name: String
    public var bytes: [UInt8]
    /// In order. With a clock the nanoseconds are readings of the boot clock, else they count from the first chunk.
    public var chunks: [(nanos: Int64, range: Range<Int>)]
    /// Whether an index told the times; without one they are guessed from the times of day in the log itself.
    public var hasClock: Bool

    /// - Parameter chunks: as guessed, `nanos` from the first.
    public init(name: String, bytes: [UInt8], chunks: [(nanos: Int64, range: Range<Int>)]) {
        self.name = name
        self.bytes = bytes
        self.chunks = chunks
        hasClock = false
    }

    /// With the index that was written beside it: lines `offset nanoseconds`, from that byte on what was read at that
    /// reading of the boot clock. A torn last line is dropped; lines about bytes that are not there count for nothing.
    public init(name: String, bytes: [UInt8], index: [UInt8], indexName: String) throws(RecordingFailure) {
        self.name = name
        self.bytes = bytes
        hasClock = true
        chunks = []
        var marks: [(offset: Int, nanos: Int64)] = []
        let lines = index.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            // What follows the last line end is empty, or torn.
            if number == lines.count - 1 { break }
            let words = line.split(separator: 0x20).map { Int64(String(decoding: $0, as: UTF8.self)) }
            let newest = marks.last ?? (0, 0)
            guard words.count == 2, let offset = words[0].flatMap(Int.init(exactly:)), let nanos = words[1],
                offset >= newest.offset, (newest.nanos...RecordedTime.latest).contains(nanos)
            else {
                throw RecordingFailure(
                    name: indexName, line: number + 1,
                    message: "not 'offset nanoseconds', both not below those of the line before, nor over 4·10¹⁸")
            }
            if offset < bytes.count { marks.append((offset, nanos)) }
        }
        for (number, mark) in marks.enumerated() {
            let start = number == 0 ? 0 : mark.offset
            let end = number + 1 < marks.count ? marks[number + 1].offset : bytes.count
            if end > start { chunks.append((mark.nanos, start..<end)) }
        }
    }
}
