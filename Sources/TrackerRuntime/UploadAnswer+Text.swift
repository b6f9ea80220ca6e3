import SyncEngine
import TrackerModel
import WireText

/// What the upload policy says, in words.
extension UploadAnswer {
    /// - Parameter utc: when it is now, for an answer with a time.
    func json(at now: Instant, _ utc: UTCTime) -> JSONValue {
        switch self {
        case .now(let cause): return ["answer": "now", "text": .string(cause.text)]
        case .never(let reason): return ["answer": "never", "text": .string(reason.text)]
        case .wait(nil, let reason): return ["answer": "wait", "text": .string("waits: \(reason.text)")]
        case .wait(let until?, let reason):
            let millis = max(0, until.millis(since: now))
            let time = TimeText.iso(utc.advanced(byMillis: millis))
            return [
                "answer": "wait", "untilSec": .fixed(millis, places: 3),
                "text": .string("waits until \(time): \(reason.text)"),
            ]
        }
    }
}

extension UploadCause {
    var text: String {
        switch self {
        case .urgent(let urgency): "urgent: \(urgency.text)"
        case .free: "charging, or a link that costs nothing"
        case .old: "the oldest point has waited as long as it may"
        case .quality: "the link is good enough"
        case .newest: "the newest point, and no other in this tier"
        }
    }
}

extension UploadUrgency {
    var text: String {
        switch self {
        case .fenceCrossing: "a fence was crossed"
        case .lowBattery: "the battery is low"
        case .trackingGap: "a part of the track was not seen"
        case .request: "the operator asked"
        }
    }
}

extension UploadWait {
    var text: String {
        switch self {
        case .barrier(let barrier): barrier.text
        case .nothingQueued: "nothing is queued"
        case .link: "there is no link"
        case .coalescing: "one upload each upload.autoSyncCoalesceSec"
        case .budget: "upload.dailyByteBudget is spent; only what is urgent is sent today"
        case .rows(let rows, let least, let age, let limit): "\(rows) rows of \(least), \(Self.age(age, limit))"
        case .quality(let quality, let required, let age, let limit):
            "link quality \(quality) of \(required), \(Self.age(age, limit))"
        case .nextNewest: "the tier sends its newest point every 6 h"
        case .exhausted: "the battery is exhausted and the last attempt was made"
        }
    }

    private static func age(_ age: Int64?, _ limit: Int64) -> String {
        let most = StatusPage.duration(Double(limit) / 1_000)
        return age.map { "oldest \(StatusPage.duration(Double($0) / 1_000)) of \(most)" } ?? "at most \(most)"
    }
}

extension UploadSituation.Barrier {
    var text: String {
        switch self {
        case .unconfigured: "no endpoint is configured"
        case .halted: "the server forbade it; device-cli sync resume"
        case .backoff(let wait): "after \(wait.reason)"
        case .clock: "the host's clock is not set"
        case .metered: "the link is metered (upload.allowMetered)"
        }
    }
}
