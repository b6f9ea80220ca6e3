/// The 32-level buffer (DocID17530, FIFO section): FIFO mode stops when full, stream mode drops the oldest.
struct LIS3DHFifo: Sendable {
    static let depth = 32
    private(set) var samples: [RawSample] = []

    mutating func push(_ sample: RawSample, dropsOldest: Bool) {
        if samples.count == Self.depth {
            guard dropsOldest else { return }
            samples.removeFirst()
        }
        samples.append(sample)
    }

    mutating func pop() -> RawSample? { samples.isEmpty ? nil : samples.removeFirst() }
    mutating func removeAll() { samples.removeAll(keepingCapacity: true) }

    /// FIFO_SRC_REG: WTM when the content exceeds the watermark, OVRN when all 32 levels are unread, EMPTY, and the
    /// count of unread samples, which ends at 31.
    func source(watermark: Int) -> UInt8 {
        let count = samples.count
        let flags: UInt8 = (count > watermark ? 0x80 : 0) | (count == Self.depth ? 0x40 : 0) | (count == 0 ? 0x20 : 0)
        return flags | UInt8(min(31, count))
    }
}
