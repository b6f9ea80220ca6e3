import TrackerModel

/// The beginning of a binary frame whose end has not been read yet, and when each of its bytes was.
///
/// The times are needed when it turns out to be no frame: what is then found inside was received earlier. Never longer
/// than the longest frame.
struct HeldBytes {
    private static let longest = UBXFrame.longestPayload + UBXFrame.overhead
    /// Receivers do not pause inside a frame; a line that has been idle for so long has lost its end. Readers of a
    /// serial port deliver at least every 20 ms.
    private static let idleMillis: Int64 = 300

    private var bytes: [UInt8] = []
    private var times: [Instant] = []

    init() {}

    static func withRoom() -> HeldBytes {
        var held = HeldBytes()
        held.bytes.reserveCapacity(longest)
        held.times.reserveCapacity(longest)
        return held
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// When to give the frame up; `.never` when nothing is held.
    @inline(__always)
    var deadline: Instant { times.last?.advanced(byMillis: Self.idleMillis) ?? .never }

    /// How many more bytes it takes to tell what this is; 0 when it can be told.
    var missing: Int {
        bytes.withUnsafeBufferPointer { all in
            guard !all.isEmpty, case .undecided(let needed) = FrameVerdict(all) else { return 0 }
            return needed - all.count
        }
    }

    mutating func append(_ more: UnsafeBufferPointer<UInt8>, at instant: Instant) {
        bytes.append(contentsOf: more)
        times.append(contentsOf: repeatElement(instant, count: more.count))
    }

    mutating func removeFirst(_ count: Int) {
        bytes.removeFirst(count)
        times.removeFirst(count)
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>, ReadTimes) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            times.withUnsafeBufferPointer { times in body(bytes, .each(times)) }
        }
    }
}

/// When the bytes of a run were read.
enum ReadTimes {
    case all(Instant)
    case each(UnsafeBufferPointer<Instant>)

    subscript(index: Int) -> Instant {
        switch self {
        case .all(let instant): instant
        case .each(let instants): instants[index]
        }
    }
}
