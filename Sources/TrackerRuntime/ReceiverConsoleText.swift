import TrackerModel

/// Notices that a console shares the receiver's line: login prompts and kernel messages between sentences (F-17).
struct ReceiverConsoleText {
    /// Longer lines are no console's.
    private static let longestLine = 160
    /// What is not seen again for this long is over.
    private static let lifeMillis: Int64 = 600_000
    /// Words that getty(8), login(1) and the kernel's console write, and no receiver.
    private static let words = [
        "login:", "Password:", "systemd[", "raspberrypi", "Linux version", "GNU/Linux", "Uncompressing",
    ]

    private var line: [UInt8] = []
    private var isSkipping = false
    private var seen: (text: String, at: Instant)?

    /// Takes what one read returned; returns true when a console is noticed that was not known.
    mutating func feed(_ bytes: [UInt8], at now: Instant) -> Bool {
        var isNew = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "$"), UInt8(ascii: "!"):
                isNew = endLine(at: now) || isNew
                isSkipping = true
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                isNew = endLine(at: now) || isNew
                isSkipping = false
            case 0x20...0x7E:
                // A kernel message may cut a sentence short; no sentence has a bracket.
                if byte == UInt8(ascii: "[") { isSkipping = false }
                if isSkipping { continue }
                line.append(byte)
                if line.count > Self.longestLine {
                    line.removeAll(keepingCapacity: true)
                    isSkipping = true
                }
            default:
                // What is no text ends a piece of text too; noise rarely holds a word.
                isNew = endLine(at: now) || isNew
            }
        }
        return isNew
    }

    /// The last such text, while it is not long ago.
    func text(at now: Instant) -> String? {
        guard let seen, now.millis(since: seen.at) < Self.lifeMillis else { return nil }
        return seen.text
    }

    private mutating func endLine(at now: Instant) -> Bool {
        defer { line.removeAll(keepingCapacity: true) }
        // The shortest word has six letters; most calls end here.
        guard line.count >= 6 else { return false }
        let text = String(decoding: line, as: UTF8.self)
        guard Self.isKernelStamp(line) || Self.words.contains(where: { Self.find($0, in: line) }) else { return false }
        let isNew = self.text(at: now) == nil
        seen = (text, now)
        return isNew
    }

    /// `[   12.345678] usb 1-1: …` (printk time stamps).
    private static func isKernelStamp(_ line: [UInt8]) -> Bool {
        guard line.first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")), end >= 4 else {
            return false
        }
        let parts = line[1..<end].drop { $0 == UInt8(ascii: " ") }.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
    }

    private static func find(_ word: String, in line: [UInt8]) -> Bool {
        let word = Array(word.utf8)
        guard line.count >= word.count else { return false }
        return (0...(line.count - word.count)).contains { line[$0..<($0 + word.count)].elementsEqual(word) }
    }
}
