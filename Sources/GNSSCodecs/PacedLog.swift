public import WireText

/// A raw log of a receiver, cut into the bursts in which it was received: one chunk for each time of day.
public struct PacedLog {
    /// All of the log, its description included.
    public let bytes: [UInt8]
    /// In order; together they are `bytes` without the description. Offsets are from the first chunk and grow strictly.
    public private(set) var chunks: [(offsetMillis: Int64, range: Range<Int>)] = []
    /// What the description gives as `# Date: yyyy-m-d`.
    public let recordedOn: CivilTime?

    /// - Parameter bytes: the log; leading lines that start with `#` describe it and are no receiver output.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var description = LogDescription()
        var chunks: [(offsetMillis: Int64, range: Range<Int>)] = []
        bytes.withUnsafeBufferPointer { all in
            let start = description.consume(all)
            var pacer = LogPacer()
            _ = pacer.split(UnsafeBufferPointer(rebasing: all[start...]), isLast: true) { offset, range in
                chunks.append((offset, start + range.lowerBound..<start + range.upperBound))
            }
        }
        self.chunks = chunks
        recordedOn = description.date
    }

    /// From the first chunk to the last.
    public var durationMillis: Int64 { chunks.last?.offsetMillis ?? 0 }
}
