import TrackerModel

/// How far a start has come: what is known when, and how good the first positions are.
struct FixSearch: Sendable {
    let start: ReceiverStart
    let startedAt: Instant
    /// When the first fix, or the next one after darkness, is there.
    private(set) var fixAt: Instant
    /// The start's own first fix; `nil` before it.
    private(set) var firstFixAt: Instant?
    private var isReacquiring = false
    /// When it last stopped, by supply or order.
    private(set) var stoppedAt = Instant.zero
    /// When its ephemeris was new last; `nil`: it has none.
    var freshAt: Instant?
    /// Since when there has been a fix without a break.
    private var fixedSince: Instant?
    /// An ephemeris comes in every 30 s of unbroken signal (IS-GPS-200, subframes 1 to 3).
    private static let ephemerisMillis: Int64 = 30_000

    /// Cold about 30 s, warm about 25 s, hot 1 s (u-blox M8 data sheet, UBX-13003366, §1.3, under open sky).
    init(_ start: ReceiverStart, seed: UInt64, at now: Instant) {
        var random = SplitMix(seed: seed &+ 0x5EA7)
        let millis: Double =
            switch start {
            case .cold: 28_000 + 4_000 * random.unit()
            case .warm: 23_000 + 4_000 * random.unit()
            case .hot: 1_000
            }
        self.start = start
        startedAt = now
        fixAt = now.advanced(byMillis: Int64(millis))
        if start == .hot { freshAt = now }
    }

    /// Begins anew, by a number that is another at each moment; the ephemeris of a hot start stays as old as it is.
    mutating func restart(_ start: ReceiverStart, seed: UInt64, at now: Instant) {
        let freshAt = freshAt
        self = FixSearch(start, seed: seed &+ UInt64(bitPattern: now.millis), at: now)
        if start == .hot, let freshAt { self.freshAt = freshAt }
    }

    mutating func stop(at now: Instant) {
        stoppedAt = now
        fixedSince = nil
    }

    /// What a start at `now` would begin with: hot while the ephemeris is less than 2 h old, warm until 4 days after the
    /// supply went (spec power §3). A run that is too short to read an ephemeris does not renew it.
    func nextStart(at now: Instant) -> ReceiverStart {
        if let freshAt, now.millis(since: freshAt) < 7_200_000 { return .hot }
        return now.millis(since: stoppedAt) < 345_600_000 ? .warm : .cold
    }

    /// A cold start reads the time of week after some 8 s and the week number after some 12 s.
    func knowsTime(at now: Instant) -> Bool { start != .cold || now.millis(since: startedAt) >= 8_000 }
    func knowsDate(at now: Instant) -> Bool { start != .cold || now.millis(since: startedAt) >= 12_000 }

    /// Takes in whether the sky is seen; true when there is a fix.
    mutating func look(isSkyVisible: Bool, at now: Instant, periodMillis: Int64) -> Bool {
        guard isSkyVisible else {
            fixedSince = nil
            if firstFixAt != nil {
                isReacquiring = true
                // Signals that were just lost are found again within a second or two.
                fixAt = now.advanced(byMillis: 1_500)
            } else {
                fixAt = fixAt.advanced(byMillis: periodMillis)
            }
            return false
        }
        guard now >= fixAt else { return false }
        if firstFixAt == nil { firstFixAt = now }
        let since = fixedSince ?? now
        fixedSince = since
        // A first fix after more than a hot start took the ephemeris of its satellites in.
        let isRead = start == .hot ? now.millis(since: since) >= Self.ephemerisMillis : true
        if isRead { freshAt = now }
        return true
    }

    /// 68 % radius as the receiver reports it, metres: after a cold start 500, 65, 50, 30 (edge case E-026), then `steady`.
    func accuracyM(at now: Instant, steady: Double) -> Double {
        let millis = now.millis(since: fixAt)
        let steps: [(until: Int64, metres: Double)] =
            if isReacquiring {
                [(2_000, 25), (4_000, 12)]
            } else {
                switch start {
                case .cold: [(2_000, 500), (4_000, 65), (6_000, 50), (10_000, 30), (20_000, 15)]
                case .warm: [(2_000, 50), (5_000, 20)]
                case .hot: [(2_000, 12)]
                }
            }
        return max(steady, steps.first { millis < $0.until }?.metres ?? steady)
    }

    /// Start to first fix; 0 before it.
    var firstFixMillis: Int { firstFixAt.map { Int($0.millis(since: startedAt)) } ?? 0 }
}
