import SyncEngine
import TrackerModel
import WireText

/// Requests and what they carried.
struct UploadCounts: Equatable {
    var requests: Int64 = 0
    /// Confirmed.
    var rows: Int64 = 0
    var bytesUp: Int64 = 0
    var bytesDown: Int64 = 0
    /// Times that the radio was woken.
    var sessions: Int64 = 0
    /// Estimated: exchanges in flight and the tail after each (`RadioMeter`).
    var radioMillis: Int64 = 0

    init() {}

    init(json: JSONValue?) {
        requests = json?["requests"]?.intValue ?? 0
        rows = json?["rows"]?.intValue ?? 0
        bytesUp = json?["bytesUp"]?.intValue ?? 0
        bytesDown = json?["bytesDown"]?.intValue ?? 0
        sessions = json?["radioSessions"]?.intValue ?? 0
        radioMillis = json?["radioMs"]?.intValue ?? 0
    }

    var json: JSONObject {
        var json: JSONObject = [
            "requests": .int(requests), "rows": .int(rows), "bytesUp": .int(bytesUp), "bytesDown": .int(bytesDown),
            "radioSessions": .int(sessions), "radioMs": .int(radioMillis),
        ]
        json["bytesPerPoint"] = bytesPerRow.map { .int($0) }
        return json
    }

    /// Up and down; `nil` before a row was confirmed.
    var bytesPerRow: Int64? { rows > 0 ? (bytesUp &+ bytesDown) / rows : nil }

    mutating func add(_ other: UploadCounts) {
        requests &+= other.requests
        rows &+= other.rows
        bytesUp &+= other.bytesUp
        bytesDown &+= other.bytesDown
        sessions &+= other.sessions
        radioMillis &+= other.radioMillis
    }
}

/// What the uploader knows over restarts (spec sync §10); no credential, only the digest of one that was refused.
struct UploadRecord {
    /// Days of counts that are kept.
    private static let keptDays = 7

    struct Wait: Equatable {
        var bootID: String
        var until: Instant
        /// When it was written, and what was left then.
        var savedAt: UTCTime
        var isSavedAtTrusted: Bool
        var remainingMillis: Int64
        var isServerTime: Bool
        var reason: String
    }

    var attempts = 0
    var wait: Wait?
    /// Digest of the endpoint that answered 403 or the like, and its status if that is known.
    var halted: (digest: String, status: Int?)?
    /// Digest of the endpoint that answered 401, and when. While `isExclusive`, it was the one of `sync configure`, and
    /// that of the file does not take its place unasked.
    var refused: (digest: String, at: UTCTime, isExclusive: Bool)?
    var sessionID: String?
    var session = UploadCounts()
    /// Since the radio was last woken.
    var radio = UploadCounts()
    /// Newest last, by UTC date.
    var days: [(date: String, counts: UploadCounts)] = []

    mutating func count(_ counts: UploadCounts, date: String, sessionID: String?) {
        if let sessionID {
            if self.sessionID != sessionID { session = UploadCounts() }
            self.sessionID = sessionID
            session.add(counts)
        }
        if counts.sessions > 0 { radio = UploadCounts() }
        radio.add(counts)
        if let index = days.firstIndex(where: { $0.date == date }) {
            days[index].counts.add(counts)
        } else {
            days.append((date, counts))
            days = Array(days.suffix(Self.keptDays))
        }
    }

    /// Milliseconds until the next UTC day when this one's bytes have come to the budget, else `nil`.
    func spentForMillis(budget: Int64, _ now: UTCTime) -> Int64? {
        guard budget > 0, let today = days.last(where: { $0.date == TimeText.date(CivilTime(now)) })?.counts,
            today.bytesUp &+ today.bytesDown >= budget
        else { return nil }
        let day: Int64 = 86_400_000
        return day - ((now.millis % day) + day) % day
    }
}

extension UploadRecord {
    init(text: String?) {
        guard let text, let json = try? JSONReader.parse(Array(text.utf8)) else { return }
        attempts = Int(clamping: max(0, min(json["attempts"]?.intValue ?? 0, 1_000)))
        wait = json["wait"].flatMap { Wait(json: $0) }
        halted = json["halted"]?.stringValue.map { ($0, json["haltedStatus"]?.intValue.map { Int(clamping: $0) }) }
        if let digest = json["refused.digest"]?.stringValue {
            refused = (
                digest, UTCTime(millis: json["refused.atMs"]?.intValue ?? 0),
                json["refused.exclusive"]?.boolValue ?? false
            )
        }
        sessionID = json["session.id"]?.stringValue
        session = UploadCounts(json: json["session"])
        radio = UploadCounts(json: json["radio"])
        days = (json["days"]?.arrayValue ?? []).compactMap { day in
            day["date"]?.stringValue.map { ($0, UploadCounts(json: day)) }
        }
    }

    var text: String {
        var object: JSONObject = ["attempts": .int(Int64(attempts))]
        object["wait"] = wait.map { $0.json }
        object["halted"] = halted.map { .string($0.digest) }
        object["haltedStatus"] = halted?.status.map { .int(Int64($0)) }
        object["refused"] = refused.map {
            ["digest": .string($0.digest), "atMs": .int($0.at.millis), "exclusive": .bool($0.isExclusive)]
        }
        if let sessionID {
            var counts = session.json
            counts["id"] = .string(sessionID)
            object["session"] = .object(counts)
        }
        object["radio"] = .object(radio.json)
        object["days"] = .array(
            days.map { day in
                var counts = day.counts.json
                counts["date"] = .string(day.date)
                return .object(counts)
            })
        return JSONValue.object(object).text
    }
}

extension UploadRecord.Wait {
    init?(json: JSONValue) {
        guard let bootID = json["bootID"]?.stringValue, let nanos = json["untilNanos"]?.intValue,
            let savedAt = json["savedAtMs"]?.intValue, let remaining = json["remainingMs"]?.intValue
        else { return nil }
        // Beyond a century on either side nothing is meant, and sums must not overflow.
        let bound: Int64 = 4_000_000_000_000
        self.init(
            bootID: bootID, until: Instant(nanos: nanos), savedAt: UTCTime(millis: max(-bound, min(savedAt, bound))),
            isSavedAtTrusted: json["trusted"]?.boolValue ?? false, remainingMillis: max(0, min(remaining, bound)),
            isServerTime: json["serverTime"]?.boolValue ?? false, reason: json["reason"]?.stringValue ?? "")
    }

    var json: JSONValue {
        [
            "bootID": .string(bootID), "untilNanos": .int(until.nanos), "savedAtMs": .int(savedAt.millis),
            "trusted": .bool(isSavedAtTrusted), "remainingMs": .int(remainingMillis),
            "serverTime": .bool(isServerTime), "reason": .string(reason),
        ]
    }

    /// Milliseconds since it was written; `nil` when neither the boot clock nor trusted time tells.
    func elapsedMillis(bootID: String, now: Instant, trustedNow: UTCTime?) -> Int64? {
        if bootID == self.bootID { return remainingMillis - until.millis(since: now) }
        guard isSavedAtTrusted, let trustedNow else { return nil }
        return trustedNow.millis - savedAt.millis
    }
}
