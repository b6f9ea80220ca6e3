import GNSSCodecs
import WireText

/// What replay and decode do before the decoder sees a byte: finding the bursts of a log.
enum PaceBench {
    static func run(_ bytes: [UInt8]) -> JSONObject {
        let start = Usage.cpuNanos
        let log = PacedLog(bytes)
        return [
            "bytes": .int(Int64(bytes.count)), "cpuNanos": .int(Usage.cpuNanos - start),
            "chunks": .int(Int64(log.chunks.count)),
        ]
    }
}
