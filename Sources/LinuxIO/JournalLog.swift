import Glibc
public import Ports

/// The log on standard error: `event key=value …`, one line an event, for a terminal or for journald, which takes the
/// level from a `<N>` in front (sd-daemon(3)).
///
/// Lines that repeat the one before are counted instead of written; the count follows as
/// `log.repeated event=… count=…` as soon as another line is written.
public final class JournalLog: LogSink {
    private let minimum: LogLevel
    private let fd: Int32
    private let isPrefixed: Bool

    private var last: (level: LogLevel, event: String, text: String)?
    private var repeats: Int64 = 0

    /// For standard error; journald says by `JOURNAL_STREAM` that it reads it.
    /// - Parameter minimum: the least urgent level that is written.
    public convenience init(minimum: LogLevel = .info) {
        self.init(minimum: minimum, fd: STDERR_FILENO, isPrefixed: getenv("JOURNAL_STREAM") != nil)
    }

    /// - Parameter fd: stays the caller's.
    public init(minimum: LogLevel, fd: Int32, isPrefixed: Bool) {
        self.minimum = minimum
        self.fd = fd
        self.isPrefixed = isPrefixed
    }

    deinit { flush() }

    public func write(_ level: LogLevel, _ event: String, _ fields: [(String, LogValue)]) {
        guard level.rawValue <= minimum.rawValue else { return }
        let text = Self.text(event, fields)
        if let last, last.level == level, last.text == text {
            repeats += 1
            return
        }
        flush()
        last = (level, event, text)
        put(level, text)
    }

    /// Writes the count of the repeats that are held back, if any.
    public func flush() {
        guard let last, repeats > 0 else { return }
        put(last.level, Self.text("log.repeated", [("event", .text(last.event)), ("count", .int(repeats))]))
        repeats = 0
        self.last = nil
    }

    private func put(_ level: LogLevel, _ text: String) {
        let line = Array((isPrefixed ? "<\(level.rawValue)>\(text)\n" : "\(text)\n").utf8)
        var rest = line[...]
        // A log that cannot be written has nowhere to complain.
        while !rest.isEmpty, let count = (try? System.write(fd, rest)) ?? nil { rest = rest.dropFirst(count) }
    }

    /// `fix.rejected reason=stale age_ms=4200`.
    static func text(_ event: String, _ fields: [(String, LogValue)]) -> String {
        fields.reduce(into: event) { line, field in
            line += " \(field.0)="
            switch field.1 {
            case .int(let value): line += "\(value)"
            case .text(let value): line += quoted(value)
            }
        }
    }

    /// As it is when that leaves no doubt, else in quotes with `"`, `\` and control characters escaped.
    private static func quoted(_ value: String) -> String {
        if !value.isEmpty && value.unicodeScalars.allSatisfy(isPlain) { return value }
        let escaped = value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                text += digits.utf8.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(escaped)\""
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\\", "=", "\u{7F}": false
        default: scalar.value > 0x20
        }
    }
}
