import GNSSCodecs
import Ports
import TrackerEngine
import TrackerModel
public import WireText

/// What `device-cli status` shows: every field is read from where it lives at the moment of asking.
extension Runtime {
    /// Unknown values are omitted, never null; durations in seconds of the reactor's clock.
    public func status() -> JSONValue {
        var root = JSONObject()
        root["service"] = .object(serviceStatus)
        root["session"] = session.map { .object(sessionStatus($0)) }
        if let total = try? totalOdometerMM() { root["odometer"] = ["totalM": .fixed(total, places: 3)] }
        root["receiver"] = .object(receiverStatus)
        root["position"] = positionStatus.map { .object($0) }
        root["motion"] = .object(motionStatus)
        root["accelerometer"] = .object(accelerometerStatus)
        root["cadence"] = [
            "tier": .string(engine.cadence.tier.rawValue), "intervalMs": .int(engine.cadence.intervalMillis),
        ]
        if let board, !board.isEmpty { root["lines"] = board.status }
        root["power"] = .object(powerStatus)
        root["geofences"] = fenceStatus
        root["link"] = .object(link.json)
        root["queue"] = .object(queueStatus)
        root["storage"] = .object(storageStatus)
        root["clock"] = .object(clockStatus)
        var counts = JSONObject()
        for reason in DecisionReason.allCases { counts[reason.rawValue] = decisionCounts[reason].map { .int($0) } }
        root["decisions"] = .object(counts)
        return .object(root)
    }

    func seconds(since instant: Instant) -> JSONValue {
        .fixed(max(0, ports.reactor.now.millis(since: instant)), places: 3)
    }

    private var serviceStatus: JSONObject {
        [
            "state": "running", "version": .string(host.version), "pid": .int(Int64(host.processID)),
            "uptimeSec": .int(ports.reactor.now.millis(since: startedAt) / 1_000), "bootID": .string(host.bootID),
            "timeScale": JSONValue.decimal(host.timeScale, places: 2) ?? 1, "configSource": .string(configSource),
            "warnings": .array(warnings.map { .string($0) }), "savedAt": .string(TimeText.iso(ports.reactor.wall.time)),
        ]
    }

    private func sessionStatus(_ session: Session) -> JSONObject {
        var status: JSONObject = [
            "id": .string(session.id), "startedAt": .string(TimeText.iso(session.startedAt)),
            "resumed": .bool(isResumed),
            "points": .int(sessionPoints), "distanceM": .fixed(lastStored?.odometerMM ?? 0, places: 3),
        ]
        status["tag"] = session.tag.map { .string($0) }
        return status
    }

    var receiverStatus: JSONObject {
        let counters = receiver.counters
        var status: JSONObject = [
            "state": .string(receiver.state.rawValue), "device": .string(receiver.device),
            "baud": .int(Int64(receiver.lineSpeed)), "open": .bool(receiver.isLineOpen),
            "searching": .bool(receiver.isSearching), "configured": .string(receiver.care.configured),
            "sentences": .int(counters.sentences), "ubxFrames": .int(counters.ubxFrames),
            "badChecksums": .int(counters.checksumErrors + counters.ubxChecksumErrors),
            "garbageBytes": .int(counters.garbageBytes), "fixes": .int(receiver.fixes),
            "noFixEpochs": .int(counters.noFixEpochs),
        ]
        if let identity = receiver.care.identity {
            status["family"] = .string(identity.family.rawValue)
            status["model"] = identity.model.map { .string($0) }
            status["firmware"] = identity.firmware.map { .string($0) }
        }
        status["protocol"] = receiver.streamProtocol.map { .string($0.rawValue) }
        status["health"] = healthStatus.map { .object($0) }
        status["consoleText"] = receiver.consoleText.map { .string($0) }
        if receiver.lateFixes > 0 { status["lateFixes"] = .int(receiver.lateFixes) }
        status["satellitesUsed"] = receiver.lastFix?.satellitesUsed.map { .int(Int64($0)) }
        status["lastFixAgeSec"] = receiver.lastFix.map { seconds(since: $0.receivedAt) }
        if let last = receiver.lastDiagnostic {
            status["lastDiagnostic"] = ["text": .string(last.text), "ageSec": seconds(since: last.at)]
        }
        status["problem"] = receiver.problem.map { .string($0) }
        status["held"] = power.machine.receiverHoldReason.map { .string($0) }
        status["power"] = receiverPowerStatus.map { .object($0) }
        return status
    }

    /// What the receiver says of its antenna and of interference; absent while it says nothing.
    private var healthStatus: JSONObject? {
        let health = receiver.health
        guard health != ReceiverHealth() else { return nil }
        var status = JSONObject()
        status["antenna"] = health.antenna.map { .string($0.rawValue) }
        status["jamming"] = health.jamming.map { .int(Int64($0)) }
        status["spoofing"] = health.spoofing.map { .int(Int64($0)) }
        return status
    }

    private var positionStatus: JSONObject? {
        guard let fix = receiver.lastFix, fix.coordinate.isValid else { return nil }
        var status: JSONObject = [
            "latitude": .fixed(Int64(fix.coordinate.latitudeE7), places: 7),
            "longitude": .fixed(Int64(fix.coordinate.longitudeE7), places: 7),
        ]
        status["accuracyM"] = JSONValue.decimal(fix.accuracyM, places: 1)
        status["time"] = fix.time.map { .string(TimeText.iso($0)) }
        return status
    }

    private var motionStatus: JSONObject {
        var status: JSONObject = ["state": .string(engine.motionState.rawValue)]
        status["activity"] = engine.activity.map { .string($0.activity.rawValue) }
        status["quality"] = motionQuality.map { .string($0.quality.rawValue) }
        if engine.motionSince > .zero {
            status["sinceSec"] = seconds(since: engine.motionSince)
            let ago = ports.reactor.now.millis(since: engine.motionSince)
            status["since"] = .string(TimeText.iso(utcNow.advanced(byMillis: -ago)))
        }
        return status
    }

    private var clockStatus: JSONObject {
        var status: JSONObject = [
            "trusted": .bool(clock != nil), "source": clock == nil ? "none" : "gnss",
            "utc": .string(TimeText.iso(utcNow)),
            "wall": .string(ports.reactor.wall.trust.rawValue),
        ]
        status["chrony"] = timeSinkStatus
        return status
    }
}
