/// What the uploader tells listeners (spec sync §9). Counts are points.
public enum UploadEvent: Equatable, Sendable {
    /// Once an exchange, before its outcome; `status` is `nil` when there was no answer, `count` is what was attempted.
    case httpResponse(status: Int?, count: Int)
    /// Once a drain that confirmed anything.
    case uploaded(count: Int)
    case retryScheduled(afterSec: Int64, reason: String)
    /// 401: endpoint and credential are forgotten, the points are kept.
    case authExpired
    /// 403: nothing is sent until the operator says so.
    case forbidden
    /// Rows set aside; `status` is the answer that condemned them, `nil` when the device did it by itself.
    case quarantined(uuids: [String], status: Int?)
    /// On change, at most once a minute.
    case queueState(pending: Int64, oldest: UTCTime?)

    /// Its name on the control socket.
    public var name: String {
        switch self {
        case .httpResponse: "httpResponse"
        case .uploaded: "uploaded"
        case .retryScheduled: "retryScheduled"
        case .authExpired: "authExpired"
        case .forbidden: "forbidden"
        case .quarantined: "quarantined"
        case .queueState: "queueState"
        }
    }
}
