import CAllocationCount
import GNSSCodecs
import TrackerModel
import WireText

/// A log through the decoder as the daemon does it: burst by burst at the log's own times, in pieces of one read, with
/// the deadlines of the epochs kept.
struct DecodeBench {
    /// What the daemon takes from the line at once.
    private static let readBytes = 4_096
    private static let secondMillis: Int64 = 1_000

    private let log: PacedLog
    private var decoder: GNSSDecoder
    private var outputs = OutputTally()

    init(_ bytes: [UInt8]) {
        log = PacedLog(bytes)
        var config = GNSSDecoderConfig()
        // As the daemon has it.
        config.skyIntervalMillis = 10_000
        decoder = GNSSDecoder(config: config)
    }

    /// - Parameter repeats: how often the log is decoded in one stream. The first time is the warm-up and not measured,
    ///   unless it is the only one.
    mutating func run(repeats: Int) -> JSONObject {
        let measured = max(1, repeats - 1)
        if repeats > 1 { pass(0) }
        let before = decoder.counters
        outputs = OutputTally()
        outputs.lastAllocations = allocation_count()
        let allocations = allocation_count()
        let start = Usage.cpuNanos
        for number in repeats - measured..<repeats { pass(number) }
        let nanos = Usage.cpuNanos - start
        let allocated = allocation_count() - allocations
        return [
            "bytes": .int(decoder.counters.bytes - before.bytes), "cpuNanos": .int(nanos),
            "sentences": .int(decoder.counters.sentences - before.sentences),
            "outputs": .object(outputs.counts), "allocations": .int(Int64(allocated)),
            "allocationsBefore": .object(outputs.allocations),
            // Proves that the counter counts: an array of this size is one allocation.
            "countsAllocations": .bool(Self.countsAllocations()), "peakRSSKiB": .int(Usage.peakRSSKiB),
        ]
    }

    private mutating func pass(_ number: Int) {
        let begin = Int64(number) * (log.durationMillis + Self.secondMillis)
        log.bytes.withUnsafeBufferPointer { bytes in
            for chunk in log.chunks {
                let now = Instant(millis: begin + chunk.offsetMillis)
                if decoder.deadline <= now { decoder.expire(at: decoder.deadline) { outputs.count($0) } }
                var at = chunk.range.lowerBound
                while at < chunk.range.upperBound {
                    let end = min(at + Self.readBytes, chunk.range.upperBound)
                    decoder.feed(UnsafeBufferPointer(rebasing: bytes[at..<end]), at: now) { outputs.count($0) }
                    at = end
                }
            }
        }
    }

    static func countsAllocations() -> Bool {
        let before = allocation_count()
        let array = [UInt8](repeating: 1, count: Int(before % 7) + 10_000)
        return allocation_count() > before && array.last == 1
    }
}
