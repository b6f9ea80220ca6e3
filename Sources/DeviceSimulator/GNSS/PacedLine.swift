import TrackerModel

/// The transmitter of a UART: ten bits for each byte and a buffer that fills up when more is said than the rate allows.
struct PacedLine: Sendable {
    private enum Item {
        case bytes([UInt8])
        case rate(Int)
    }

    /// A u-blox has about this much room and then drops whole messages ("txbuf alloc").
    static let capacityBytes = 4_096

    /// The rate bytes leave and arrive at, bits per second.
    private(set) var baud: Int
    /// The rate once all that waits has left.
    private(set) var comingBaud: Int
    private var queue: [Item] = []
    private var head = 0
    private var offset = 0
    private(set) var queuedBytes = 0
    /// Sentences and UBX frames of the messages taken.
    private(set) var takenFrames = 0
    private(set) var droppedMessages = 0
    /// When the wire is free for the next byte.
    private var freeAt = Instant.zero

    init(baud: Int) {
        self.baud = baud
        comingBaud = baud
    }

    /// Takes a message whole, or drops it whole.
    mutating func send(_ message: [UInt8], at now: Instant) {
        guard !message.isEmpty else { return }
        guard queuedBytes + message.count <= Self.capacityBytes else {
            droppedMessages += 1
            return
        }
        if queuedBytes == 0, freeAt < now { freeAt = now }
        queue.append(.bytes(message))
        queuedBytes += message.count
        takenFrames += message.first == 0xB5 ? 1 : message.count { $0 == UInt8(ascii: "\n") }
    }

    /// The rate changes once everything said before has left.
    mutating func changeRate(_ baud: Int) {
        comingBaud = baud
        queue.append(.rate(baud))
        settleRate()
    }

    /// The power is gone, and what waited with it.
    mutating func reset(baud: Int) {
        queue = []
        (head, offset, queuedBytes) = (0, 0, 0)
        self.baud = baud
        comingBaud = baud
    }

    /// The instant the next `count` bytes (or all, when fewer wait) have left; `never` when none waits.
    func leaving(_ count: Int) -> Instant {
        queuedBytes == 0 ? .never : freeAt.advanced(byNanos: byteNanos * Int64(min(count, queuedBytes)))
    }

    /// What has left by `now`; one chunk for each rate.
    mutating func take(until now: Instant) -> [LineChunk] {
        var chunks: [LineChunk] = []
        defer { forgetSent() }
        while head < queue.count {
            switch queue[head] {
            case .rate(let rate):
                baud = rate
                head += 1
            case .bytes(let message):
                let room = Int(max(0, now.nanos(since: freeAt)) / byteNanos)
                let count = min(room, message.count - offset)
                guard count > 0 else { return chunks }
                append(message[offset..<offset + count], to: &chunks)
                freeAt = freeAt.advanced(byNanos: byteNanos * Int64(count))
                offset += count
                queuedBytes -= count
                guard offset == message.count else { return chunks }
                (head, offset) = (head + 1, 0)
            }
        }
        return chunks
    }

    private mutating func forgetSent() {
        guard head == queue.count || head >= 64 else { return }
        queue.removeFirst(head)
        head = 0
    }

    private mutating func settleRate() {
        while head < queue.count, case .rate(let rate) = queue[head] {
            baud = rate
            head += 1
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to chunks: inout [LineChunk]) {
        if let last = chunks.indices.last, chunks[last].baud == baud {
            chunks[last].bytes += bytes
        } else {
            chunks.append(LineChunk(startedAt: freeAt, baud: baud, bytes: Array(bytes)))
        }
    }

    private var byteNanos: Int64 { 10_000_000_000 / Int64(baud) }
}
