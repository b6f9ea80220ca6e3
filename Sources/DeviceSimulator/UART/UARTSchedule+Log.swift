import GNSSCodecs

extension UARTSchedule {
    /// The epochs of a raw log, spaced as they were recorded.
    public init(log: [UInt8]) {
        let paced = PacedLog(log)
        self.init(chunks: paced.chunks.map { Chunk(offsetMillis: $0.offsetMillis, bytes: Array(log[$0.range])) })
    }
}
