import TrackerModel

/// The protocol an epoch came in.
public enum EpochSource: String, Sendable {
    case nmea
    case ubx
}

/// Lets one protocol speak where a receiver sends both: for 5 s after a UBX epoch those of NMEA are ignored (spec
/// capture §2.2, E-009).
struct EpochGate {
    private static let silenceMillis: Int64 = 5_000

    private(set) var source: EpochSource?
    private(set) var supersededFixes: Int64 = 0
    private(set) var supersededNoFixes: Int64 = 0
    private var lastUBX: Instant?
    private var lastNMEA: (time: UTCTime, at: Instant)?
    /// Told when an epoch's protocol is not that of the one before.
    var onSource: ((EpochSource) -> Void)?

    /// False for an epoch that the other protocol already gave.
    /// - Parameters:
    ///   - time: of the epoch.
    ///   - instant: when it was closed.
    mutating func admits(isFix: Bool, time: UTCTime?, from source: EpochSource, at instant: Instant) -> Bool {
        let isDoubled: Bool
        switch source {
        case .nmea:
            isDoubled = Self.isRecent(lastUBX, at: instant)
            if !isDoubled { lastNMEA = time.map { ($0, instant) } }
        case .ubx:
            // The first UBX epoch may follow the sentences of the same solution.
            isDoubled = time != nil && time == lastNMEA?.time && Self.isRecent(lastNMEA?.at, at: instant)
            lastUBX = instant
        }
        if isDoubled {
            if isFix { supersededFixes += 1 } else { supersededNoFixes += 1 }
            return false
        }
        if self.source != source {
            self.source = source
            onSource?(source)
        }
        return true
    }

    private static func isRecent(_ other: Instant?, at instant: Instant) -> Bool {
        other.map { instant.millis(since: $0) <= silenceMillis } ?? false
    }
}
