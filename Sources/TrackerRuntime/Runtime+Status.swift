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

    private func seconds(since instant: Instant) -> JSONValue {
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
        [
            "id": .string(session.id), "startedAt": .string(TimeText.iso(session.startedAt)),
            "resumed": .bool(isResumed),
            "points": .int(sessionPoints), "distanceM": .fixed(lastStored?.odometerMM ?? 0, places: 3),
        ]
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
        if engine.motionSince > .zero {
            status["sinceSec"] = seconds(since: engine.motionSince)
            let ago = ports.reactor.now.millis(since: engine.motionSince)
            status["since"] = .string(TimeText.iso(utcNow.advanced(byMillis: -ago)))
        }
        return status
    }

    private var accelerometerStatus: JSONObject {
        guard let accelerometer else { return ["state": "off"] }
        var status: JSONObject = ["state": .string(accelerometer.state.rawValue), "name": .string(accelerometer.name)]
        if let reading = accelerometer.lastReading {
            status["rmsG"] = JSONValue.decimal(reading.rmsG, places: 4)
            status["stillSec"] = reading.stillSince.map { seconds(since: $0) } ?? 0
        }
        status["problem"] = accelerometer.problem.map { .string($0) }
        return status
    }

    private var powerStatus: JSONObject {
        var status: JSONObject = [
            "tier": .string(engine.powerTier.rawValue), "known": .bool(battery.percent != nil),
        ]
        status["percent"] = battery.percent.map { .int(Int64($0)) }
        status["isCharging"] = battery.isCharging.map { .bool($0) }
        status["externalSupply"] = battery.externalSupply.map { .bool($0) }
        return status
    }

    private var storageStatus: JSONObject {
        var status: JSONObject = ["path": .string(ports.store.name), "state": "ok"]
        if let usage = ports.store.usage() {
            status["usedBytes"] = .int(usage.usedBytes)
            status["freeBytes"] = .int(usage.freeBytes)
        }
        if let failure = journal.failure {
            status["state"] = "degraded"
            status["waiting"] = .int(Int64(journal.waitingCount))
            status["problem"] = .string("\(failure.cause); \(failure.remedy)")
        }
        if let failure = ports.store.layerFailure {
            status["layerProblem"] = .string("\(failure.cause); \(failure.remedy)")
        }
        if journal.dropped > 0 { status["dropped"] = .int(journal.dropped) }
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
