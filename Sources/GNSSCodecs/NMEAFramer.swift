/// Finds NMEA 0183 sentences in a byte stream: `$` or `!`, a body, `*` and two hexadecimal digits (spec capture §2.2).
///
/// One byte in, one event out, no memory beyond a fixed buffer. A sentence is complete with its second checksum digit,
/// so that neither a missing line feed nor the end of a log withholds it. For the sentences that no read cut in two and
/// nothing damaged there is a shorter way: `SentenceText(in:at:)`.
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
        /// `withText` has a sentence whose checksum is right.
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
    /// `$` and `*hh`.
    static let overhead = 4
    static let longestBody = longestSentence - overhead

    private enum State { case outside, body, firstDigit, secondDigit }

    private var state = State.outside
    private var buffer = [UInt8](repeating: 0, count: longestBody)
    private var count = 0
    private var commas = NMEASeparators()
    private var sum: UInt8 = 0
    private var declared: UInt8 = 0
    private var isEncapsulated = false

    /// True from the first character of a sentence until it is complete or dropped.
    var isInside: Bool { state != .outside }

    /// Calls `work` with what came so far of a sentence, after `.sentence` with all of it.
    func withText<Result>(_ work: (SentenceText) -> Result) -> Result {
        buffer.withUnsafeBufferPointer { characters in
            let body = UnsafeBufferPointer(rebasing: characters[..<count])
            return work(SentenceText(body: body, commas: commas, isEncapsulated: isEncapsulated))
        }
    }

    /// Takes bytes up to and with the one that makes an event, the last line end or the last of all: what `push` does for
    /// each of them.
    mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int) -> Event {
        var event = Event.nothing
        repeat {
            event = push(bytes[index])
            index &+= 1
        } while event == .nothing && isInside && index < bytes.count
        return event
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

    private mutating func drop(_ event: Event) -> Event {
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

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
