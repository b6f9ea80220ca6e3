/// Finds NMEA 0183 sentences in a byte stream: `$` or `!`, a body, `*` and two hexadecimal digits (spec capture §2.2).
///
/// One byte in, one event out, no memory beyond a fixed buffer. A sentence is complete with its second checksum digit,
/// so that neither a missing line feed nor the end of a log withholds it.
struct NMEAFramer {
    enum Event {
        /// Inside a sentence, or a line end between sentences.
        case nothing
        /// This byte started a sentence.
        case began
        /// A `$` inside a sentence: what was before it is lost, this byte started another one.
        case restarted
        /// A byte outside any sentence.
        case garbage
        /// `body` holds a sentence whose checksum is right.
        case sentence
        /// The checksum was wrong, unreadable or missing.
        case badChecksum
        /// Longer than 120 characters.
        case overlong
        /// A byte that no sentence may contain.
        case broken
    }

    /// Characters from `$` to the last checksum digit (spec capture §2.2: 120).
    static let longestSentence = 120
    /// The rest without `$` and `*hh`.
    static let longestBody = longestSentence - 4

    enum State { case outside, body, firstDigit, secondDigit }

    var state = State.outside
    var buffer = [UInt8](repeating: 0, count: longestBody)
    var count = 0
    /// Where in `buffer` the commas are.
    var commas = NMEASeparators()
    var sum: UInt8 = 0
    private var declared: UInt8 = 0
    /// The sentence began with `!`: encapsulated data, never a position.
    private(set) var isEncapsulated = false

    /// True from the first character of a sentence until it is complete or dropped.
    var isInside: Bool { state != .outside }

    /// Calls `body` with the characters between `$` and `*`; they are those of the last `.sentence` only until the
    /// next byte.
    @inline(__always)
    func withBody<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withUnsafeBufferPointer { characters throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: characters[..<count]))
        }
    }

    /// The next byte.
    mutating func push(_ byte: UInt8) -> Event {
        switch state {
        case .outside:
            switch byte {
            case UInt8(ascii: "$"), UInt8(ascii: "!"):
                begin(with: byte)
                return .began
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return .nothing
            default: return .garbage
            }
        case .body: return pushBody(byte)
        case .firstDigit, .secondDigit: return pushDigit(byte)
        }
    }

    private mutating func begin(with byte: UInt8) {
        state = .body
        isEncapsulated = byte == UInt8(ascii: "!")
        (count, sum, declared) = (0, 0, 0)
        commas = NMEASeparators()
    }

    mutating func drop(_ event: Event) -> Event {
        state = .outside
        return event
    }

    private mutating func pushBody(_ byte: UInt8) -> Event {
        switch byte {
        case UInt8(ascii: "$"):
            begin(with: byte)
            return .restarted
        case UInt8(ascii: "*"):
            state = .firstDigit
            return .nothing
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return drop(.badChecksum)
        case 0x20...0x7E:
            guard count < Self.longestBody else { return drop(.overlong) }
            buffer[count] = byte
            if byte == UInt8(ascii: ",") { commas.insert(1, at: count) }
            count += 1
            sum ^= byte
            return .nothing
        default: return drop(.broken)
        }
    }

    private mutating func pushDigit(_ byte: UInt8) -> Event {
        if byte == UInt8(ascii: "$") {
            begin(with: byte)
            return .restarted
        }
        guard let digit = Self.hexadecimal(byte) else { return drop(.badChecksum) }
        declared = declared << 4 | digit
        if state == .firstDigit {
            state = .secondDigit
            return .nothing
        }
        return drop(declared == sum ? .sentence : .badChecksum)
    }

    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
