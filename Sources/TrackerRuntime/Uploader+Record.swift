import Ports
import SyncEngine
import TrackerModel
import WireText

/// What outlives a run, and what status tells of it.
extension Uploader {
    func count(_ counts: UploadCounts) {
        let date = TimeText.date(CivilTime(surroundings.utcNow()))
        record.count(counts, date: date, sessionID: surroundings.sessionID())
        isRecordStale = true
    }

    /// Back-off of an earlier run, brought to this one's clocks.
    var savedBackoff: SyncBackoff {
        guard let wait = record.wait else { return SyncBackoff(attempts: record.attempts) }
        let now = surroundings.reactor.now
        let saved = SyncBackoff(
            attempts: record.attempts,
            wait: SyncBackoff.Wait(until: wait.until, isServerTime: wait.isServerTime, reason: wait.reason))
        return saved.continued(
            remainingMillis: wait.remainingMillis,
            elapsedMillis: wait.elapsedMillis(
                bootID: surroundings.bootID, now: now, trustedNow: surroundings.trustedNow()),
            ceilingMillis: base.backoffCeilingMillis, now: now)
    }

    func saveRecord() {
        // Once a drain is enough: every write is a disk sync.
        guard isRecordStale, isRecordRead, !machine.isDraining else { return }
        let backoff = machine.backoff
        let now = surroundings.reactor.now
        let trusted = surroundings.trustedNow()
        record.attempts = backoff.attempts
        record.wait = backoff.wait.map { wait in
            UploadRecord.Wait(
                bootID: surroundings.bootID, until: wait.until, savedAt: trusted ?? surroundings.utcNow(),
                isSavedAtTrusted: trusted != nil, remainingMillis: max(0, wait.until.millis(since: now)),
                isServerTime: wait.isServerTime, reason: wait.reason)
        }
        // A store that refuses is told of elsewhere; the next change tries again.
        if (try? surroundings.store.setState(.sync, record.text)) != nil { isRecordStale = false }
    }

    /// Reads what an earlier run left, unless that is done; what is in the way, or `nil`.
    func recordProblem() -> String? {
        guard !isRecordRead else { return nil }
        do throws(StoreFailure) {
            record = UploadRecord(text: try surroundings.store.state(.sync))
            isRecordRead = true
            return nil
        } catch { return "what the uploader knew cannot be read: \(error.message)" }
    }

    /// The address in force, with neither path nor query: with many servers they are the credential.
    var shownEndpoint: String? {
        config.url.map { url in url.prefix { $0 != ":" } + "://" + HostName.authority(of: url) + "/…" }
    }

    /// The uploader's part of `queue` in status; no header.
    var status: JSONObject {
        var status: JSONObject = ["state": .string(machine.stateName)]
        if let shownEndpoint {
            status["endpoint"] = .string(shownEndpoint)
            status["endpointSource"] = isConfiguredHere ? "configured" : "file"
        }
        status["uploadedThisRun"] = .int(uploadedThisRun)
        status["lastAnswer"] = lastAnswer.map { .string($0) }
        status["nextAttemptSec"] = nextAttempt.map {
            .fixed(max(0, $0.millis(since: surroundings.reactor.now)), places: 3)
        }
        if machine.backoff.attempts > 0 { status["failures"] = .int(Int64(machine.backoff.attempts)) }
        status["lastEvent"] = lastEvent.map { .object($0.json) }
        status["policy"] = policyStatus
        if let today = record.days.last { status["today"] = .object(today.counts.json) }
        if record.radio != UploadCounts() { status["radio"] = .object(record.radio.json) }
        if record.sessionID != nil, record.sessionID == surroundings.sessionID() {
            status["session"] = .object(record.session.json)
        }
        status["problem"] = shownProblem.map { .string($0) }
        return status
    }

    /// What is wrong at present, in words.
    var shownProblem: String? {
        if let endpointProblem { return endpointProblem }
        switch machine.obstacle {
        case .offline: return Self.linkProblem(surroundings.link.state) + "; points wait for the network"
        case .metered: return "only a metered link is up; points wait for another (upload.allowMetered)"
        case .clock:
            return "the host's clock is not set, so no certificate can be checked; points wait for NTP or chrony "
                + "(time.chronySocket)"
        case nil: break
        }
        if let problem { return problem }
        return isConfigured ? nil : "no upload.url is configured; points are kept on the device"
    }

    /// For `sync status`: the days too.
    var fullStatus: JSONObject {
        var status = status
        status["days"] = .array(
            record.days.map { day in
                var counts = day.counts.json
                counts["date"] = .string(day.date)
                return .object(counts)
            })
        return status
    }
}

extension UploadEvent {
    /// Its data on the control socket, with its name.
    var json: JSONObject {
        var data: JSONObject = ["event": .string(name)]
        switch self {
        case .httpResponse(let status, let count):
            data["statusCode"] = status.map { .int(Int64($0)) }
            data["count"] = .int(Int64(count))
        case .uploaded(let count): data["count"] = .int(Int64(count))
        case .retryScheduled(let afterSec, let reason):
            data["afterSec"] = .int(afterSec)
            data["reason"] = .string(reason)
        case .authExpired, .forbidden: break
        case .quarantined(let uuids, let status):
            data["uuids"] = .array(uuids.map { .string($0) })
            data["status"] = status.map { .int(Int64($0)) }
        case .queueState(let pending, let oldest):
            data["pending"] = .int(pending)
            data["oldestMs"] = oldest.map { .int($0.millis) }
        }
        return data
    }
}
