/// What a receiver sends and when: the chunks of a recording, each with its offset from the start.
public struct UARTSchedule: Sendable {
    public struct Chunk: Equatable, Sendable {
        /// Milliseconds from the start, never decreasing.
        public var offsetMillis: Int64
        public var bytes: [UInt8]

        public init(offsetMillis: Int64, bytes: [UInt8]) {
            self.offsetMillis = offsetMillis
            self.bytes = bytes
        }
    }

    public var chunks: [Chunk]
    public init(chunks: [Chunk]) { self.chunks = chunks }

    /// Offset of the last chunk.
    public var durationMillis: Int64 { chunks.last?.offsetMillis ?? 0 }

    /// From the start of one round to the start of the next: the last epoch lasts one second like the others.
    var loopMillis: Int64 { durationMillis + 1_000 }
}
