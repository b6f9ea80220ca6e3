public import TrackerModel

/// Something that goes wrong with a chip or its bus, as text `AT FAULT [for SECONDS]`, one a line, in seconds of script
/// time; `#` starts a comment. Without `for` it lasts.
public struct ChipFault: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// The chip does not acknowledge its address.
        case nak
        /// The bus is held low: every transfer times out.
        case stuck
        /// The identity register reads something else.
        case wrongID = "wrong-id"
        /// The output repeats one value.
        case frozen
        /// The chip takes no samples.
        case silent
        /// The reader was away for ten seconds: a moment.
        case overrun
    }

    public var kind: Kind
    public var at: Instant
    /// Itself outside.
    public var until: Instant

    public init(_ kind: Kind, atMillis: Int64, forMillis: Int64? = nil) {
        self.kind = kind
        at = Instant(millis: atMillis)
        until = forMillis.map { Instant(millis: atMillis + $0) } ?? .never
    }

    func isActive(at now: Instant) -> Bool { at <= now && now < until }

    /// - Throws: `ScriptFailure` with the line; no faults are fine.
    public static func list(text: String) throws(ScriptFailure) -> [ChipFault] { try list(ScriptLine.all(text)) }

    static func list(_ lines: [ScriptLine]) throws(ScriptFailure) -> [ChipFault] {
        var faults: [ChipFault] = []
        for line in lines {
            let words = line.words
            let lasting = words.count == 4 && words[2] == "for" ? ScriptLine.millis(words[3]) : nil
            guard words.count == 2 || lasting != nil, let at = ScriptLine.millis(words[0]),
                let kind = Kind(rawValue: "\(words[1])")
            else {
                let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw line.failure("expected \"AT FAULT [for SECONDS]\" with one of \(known)")
            }
            faults.append(ChipFault(kind, atMillis: at, forMillis: lasting))
        }
        return faults
    }
}
