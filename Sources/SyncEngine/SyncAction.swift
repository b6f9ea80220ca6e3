public import TrackerModel

/// What the uploader is to do, in this order. When the store refuses one, the rest is left and `storeRefused` reported.
public enum SyncAction: Equatable, Sendable {
    /// Take so many rows from the queue and start one exchange; answer with `exchangeFinished` or `queueEmpty`.
    case send(SyncSelection)
    case markSent(SyncBatch)
    case quarantine([Int64], reason: String)
    /// The server does not take this crossing of a fence; it is not sent again.
    case passOver(crossingID: Int64, reason: String)
    case emit(UploadEvent)
    case diagnose(String)
    /// Read the credential given by reference once more; answer with `credentialReread`.
    case rereadCredential
    /// 401: forget endpoint and credential, delete the stored copy, remember not to use them again.
    case tearDown
    /// 403: remember over restarts that nothing may be sent.
    case halt
    /// Delete the queued rows.
    case wipeQueue
    case stopTracking
    /// What a drain came to, for who waits for it.
    case finished(SyncResult)
    /// Attempts or deadline changed: keep `SyncMachine.backoff` over restarts.
    case save
    /// Report `timerFired` then; `.never`: not at all.
    case wake(at: Instant)
}

/// Which rows to take.
public struct SyncSelection: Equatable, Sendable {
    /// Oldest first, at most so many.
    public var limit: Int
    /// Only the newest one, if more than `limit` are waiting.
    public var prefersNewest: Bool
    /// The exchange may take so long; `nil`: as long as any other.
    public var timeoutSec: Int?

    public init(limit: Int, prefersNewest: Bool = false, timeoutSec: Int? = nil) {
        self.limit = limit
        self.prefersNewest = prefersNewest
        self.timeoutSec = timeoutSec
    }
}

/// What a drain came to (spec sync §3).
public enum SyncResult: Equatable, Sendable {
    case uploaded(count: Int)
    case empty
    /// `afterMillis` is when it goes on by itself, `nil` when a condition is waited for.
    case retry(reason: String, afterMillis: Int64?)
    case authExpired
    case forbidden
    case alreadyDraining
    case notConfigured
}
