public import TrackerModel

/// Something that goes wrong with a receiver or its line, when, and for how long.
public struct ReceiverFault: Equatable, Sendable {
    public var kind: Kind
    /// What the kind counts in; its default when the script names none.
    public var value: Double
    /// Receiver time it begins at.
    public var at: Instant
    /// Receiver time it ends at, itself outside; equal to `at` for what happens in a moment.
    public var until: Instant

    public init(_ kind: Kind, value: Double? = nil, atMillis: Int64, forMillis: Int64? = nil) {
        self.kind = kind
        self.value = value ?? kind.usualValue ?? 0
        let start = Instant(millis: atMillis)
        at = start
        until = kind.isMomentary ? start : forMillis.map { start.advanced(byMillis: $0) } ?? .never
    }

    func isActive(at now: Instant) -> Bool { at <= now && now < until }

    /// The words of a fault script.
    public enum Kind: String, CaseIterable, Sendable {
        // The line.
        case lose
        case flip
        case silence
        case garbageOnOpen = "garbage-on-open"
        case console
        case overlong
        case truncated
        case bigFrame = "big-frame"
        case badLength = "bad-length"
        case flood
        case jitter
        case unplug
        // The receiver's own life.
        case restart
        case coldRestart = "cold-restart"
        case powerCut = "power-cut"
        case powerLost = "power-lost"
        case wakes
        case neverWakes = "never-wakes"
        case losesConfig = "loses-config"
        // Time.
        case timeStall = "time-stall"
        case clockStep = "clock-step"
        case leapSecond = "leap-second"
        case leapError = "leap-error"
        case rollover
        case blankDate = "blank-date"
        // Position.
        case freeze
        case noFix = "no-fix"
        case flat = "2d"
        case satellites
        case hdop
        case estimated
        case manual
        case simulated
        case nullIsland = "null-island"
        // Reports.
        case spoofed
        case jammed
        case antennaOpen = "antenna-open"
        case antennaShort = "antenna-short"

        /// Happens once at its time; all others last until their end or for ever.
        var isMomentary: Bool {
            switch self {
            case .console, .overlong, .truncated, .bigFrame, .badLength, .restart, .coldRestart, .wakes, .clockStep,
                .leapSecond:
                true
            default: false
            }
        }

        /// The value when the script names none; `nil` for a fault that has no value.
        var usualValue: Double? {
            switch self {
            case .lose, .flip: 1_000
            case .garbageOnOpen: 32
            case .overlong: 300
            case .bigFrame: 220
            case .flood: 10
            case .jitter: 300
            // To the factory rate of old modules (edge case E-005).
            case .restart: 9_600
            case .clockStep: -2
            // GPS time ahead of UTC since 2017 (IERS Bulletin C 52).
            case .leapError: 18
            case .rollover: 1
            case .satellites: 3
            case .hdop: 99.99
            case .spoofed: 2
            case .jammed: 230
            default: nil
            }
        }

        /// What the value may be.
        var range: ClosedRange<Double> {
            switch self {
            case .lose, .flip: 1...1_000_000_000
            case .garbageOnOpen, .overlong, .bigFrame: 1...1_000
            case .flood: 1...10
            case .jitter: 1...450
            case .restart: 1_200...921_600
            case .clockStep: -1_000_000...1_000_000
            case .leapError: -30...30
            case .rollover: -3...3
            case .satellites: 0...32
            case .hdop: 0...99.99
            case .spoofed: 0...3
            case .jammed: 0...255
            default: 0...0
            }
        }
    }
}
