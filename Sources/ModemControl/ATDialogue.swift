public import TrackerModel

/// One command at a time on a modem's command port: bytes in, replies out.
///
/// Echoes, blank lines and unsolicited lines are passed over wherever they come; a reply that comes after its time
/// belongs to nobody and is dropped with the rest.
public struct ATDialogue: Sendable {
    /// A line longer than this is noise, and is cut off.
    static let longestLine = 512

    private var line: [UInt8] = []
    private var waiting: (command: ATCommand, deadline: Instant, information: String?)?

    public init() {}

    /// When the reply that is waited for is overdue; `.never` while none is.
    public var deadline: Instant { waiting?.deadline ?? .never }
    public var isWaiting: Bool { waiting != nil }

    /// The bytes to write for a command; a reply that was waited for is waited for no more.
    public mutating func send(_ command: ATCommand, at now: Instant) -> [UInt8] {
        waiting = (command, now.advanced(byMillis: command.timeoutMillis), nil)
        return Array(command.text.utf8) + [0x0D]
    }

    /// Takes what the modem wrote; at most one reply can be waited for, and so at most one comes out.
    public mutating func take(_ bytes: [UInt8]) -> (ATCommand, ATReply)? {
        var reply: (ATCommand, ATReply)?
        for byte in bytes {
            guard byte == 0x0A || byte == 0x0D else {
                if line.count < Self.longestLine { line.append(byte) }
                continue
            }
            if !line.isEmpty, let found = read(String(decoding: line, as: UTF8.self)) { reply = found }
            line.removeAll(keepingCapacity: true)
        }
        return reply
    }

    /// The reply to a command that got none in time.
    public mutating func expire(at now: Instant) -> (ATCommand, ATReply)? {
        guard let waiting, waiting.deadline <= now else { return nil }
        self.waiting = nil
        return (waiting.command, .silence)
    }

    /// The port went away: nothing is waited for, and what was half read is forgotten.
    public mutating func forget() {
        waiting = nil
        line.removeAll(keepingCapacity: true)
    }

    private mutating func read(_ text: String) -> (ATCommand, ATReply)? {
        guard let asked = waiting else { return nil }
        let result: ATReply
        if text == "OK" {
            result = .ok(asked.information)
        } else if text == "ERROR" {
            result = .refused(number: nil)
        } else if let number = text.after("+CME ERROR:") ?? text.after("+CMS ERROR:") {
            result = .refused(number: Int(number))
        } else {
            if let prefix = asked.command.informationPrefix, let rest = text.after(prefix) {
                waiting?.information = rest
            }
            return nil
        }
        waiting = nil
        return (asked.command, result)
    }
}

extension String {
    /// What follows `prefix`, without blanks around it; `nil` when this does not begin so.
    func after(_ prefix: String) -> String? {
        guard hasPrefix(prefix) else { return nil }
        let rest = utf8.dropFirst(prefix.utf8.count).drop { $0 == 0x20 }
        return String(Substring(rest))
    }
}
