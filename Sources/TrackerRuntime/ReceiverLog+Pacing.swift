import GNSSCodecs
public import Recordings

extension ReceiverLog {
    /// A log without an index, cut by the times of day in its sentences and frames.
    public init(pacing bytes: [UInt8], name: String) {
        let paced = PacedLog(bytes)
        self.init(name: name, bytes: bytes, chunks: paced.chunks.map { ($0.offsetMillis * 1_000_000, $0.range) })
    }
}
