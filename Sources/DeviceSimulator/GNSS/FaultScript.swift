import TrackerModel

/// What goes wrong and when, as text `AT FAULT [VALUE] [for SECONDS]`, one a line, in seconds of receiver time; `#`
/// starts a comment. `120 silence for 15`, `60 lose 1000`, `300 unplug for 8`; docs/modules/simulator.md lists the
/// words.
public struct FaultScript: Equatable, Sendable {
    /// In the order of their times.
    public private(set) var faults: [ReceiverFault]

    public init(_ faults: [ReceiverFault] = []) {
        self.faults = faults.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
    }

    /// - Throws: `ScriptFailure` with the line; a script without faults is fine.
    public init(text: String) throws(ScriptFailure) { try self.init(ScriptLine.all(text)) }

    init(_ lines: [ScriptLine]) throws(ScriptFailure) {
        var faults: [ReceiverFault] = []
        for line in lines { faults.append(try Self.fault(line)) }
        self.init(faults)
    }

    private static func fault(_ line: ScriptLine) throws(ScriptFailure) -> ReceiverFault {
        let words = line.words
        guard words.count >= 2, let at = ScriptLine.millis(words[0]) else {
            throw line.failure("expected \"AT FAULT [VALUE] [for SECONDS]\", AT in seconds from 0 to 366 days")
        }
        guard let kind = ReceiverFault.Kind(rawValue: String(words[1])) else {
            let known = ReceiverFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw line.failure("unknown fault \"\(words[1])\"; use one of \(known)")
        }
        var rest = words.dropFirst(2)
        var duration: Int64?
        if let mark = rest.firstIndex(of: "for") {
            guard mark + 2 == rest.endIndex, let millis = ScriptLine.millis(rest[mark + 1]), !kind.isMomentary else {
                throw line.failure("\"for\" takes seconds at the end of a fault that lasts")
            }
            duration = millis
            rest = rest[..<mark]
        }
        var value: Double?
        if let word = rest.first {
            guard rest.count == 1, kind.usualValue != nil, let number = Double(word), kind.range.contains(number) else {
                throw line.failure("\"\(word)\" is no value of \(kind.rawValue)" + allowed(kind))
            }
            value = number
        }
        if kind == .unplug || kind == .powerCut || kind == .powerLost, duration == nil {
            // Eight seconds is how long a modem takes to come back (field report F-19).
            duration = 8_000
        }
        return ReceiverFault(kind, value: value, atMillis: at, forMillis: duration)
    }

    private static func allowed(_ kind: ReceiverFault.Kind) -> String {
        kind.usualValue == nil ? ", which has none" : ": \(kind.range.lowerBound) to \(kind.range.upperBound)"
    }

    /// The newest active fault of a kind.
    func active(_ kind: ReceiverFault.Kind, at now: Instant) -> ReceiverFault? {
        faults.last { $0.kind == kind && $0.isActive(at: now) }
    }

    func isActive(_ kind: ReceiverFault.Kind, at now: Instant) -> Bool { active(kind, at: now) != nil }
}
