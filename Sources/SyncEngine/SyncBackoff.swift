public import TrackerModel

/// The failures so far and the wait they led to, as kept over restarts (spec sync §6).
public struct SyncBackoff: Equatable, Sendable {
    public var attempts: Int
    public var wait: Wait?

    public struct Wait: Equatable, Sendable {
        public var until: Instant
        /// The server named the time.
        public var isServerTime: Bool
        public var reason: String

        public init(until: Instant, isServerTime: Bool, reason: String) {
            self.until = until
            self.isServerTime = isServerTime
            self.reason = reason
        }
    }

    public init(attempts: Int = 0, wait: Wait? = nil) {
        self.attempts = attempts
        self.wait = wait
    }

    /// The same wait in another run.
    /// - Parameters:
    ///   - remainingMillis: what was left when it was kept.
    ///   - elapsedMillis: since then; `nil` when another boot cannot tell, then the ceiling bounds the wait.
    public func continued(
        remainingMillis: Int64, elapsedMillis: Int64?, ceilingMillis: Int64, now: Instant
    ) -> SyncBackoff {
        guard let wait else { return self }
        let left =
            elapsedMillis.map { max(0, min(remainingMillis, remainingMillis.subtractingSaturating($0))) }
            ?? min(remainingMillis, ceilingMillis)
        var continued = self
        continued.wait = Wait(
            until: now.advanced(byMillis: max(0, left)), isServerTime: wait.isServerTime, reason: wait.reason)
        return continued
    }
}

extension Int64 {
    fileprivate func subtractingSaturating(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
