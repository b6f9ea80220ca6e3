public import Ports
import SyncEngine
import TrackerEngine
import TrackerModel

/// A configuration that may be used, and what its author should know.
public struct ResolvedConfig: Equatable, Sendable {
    public var config: TrackerConfig
    /// Unknown keys and the like: shown by `status`, refused by `config check`.
    public var warnings: [ConfigProblem]
    /// Paths of the keys that the file has.
    public var given: Set<String>
}

extension ConfigTable {
    /// Applies the entries of a file to the defaults.
    /// - Throws: `ConfigFailure` with every problem, in file order; then nothing of the file is used.
    public static func resolve(_ entries: [ConfigEntry]) throws(ConfigFailure) -> ResolvedConfig {
        var config = TrackerConfig()
        var problems: [ConfigProblem] = []
        var warnings: [ConfigProblem] = []
        let table = keys
        for entry in entries {
            if entry.path.hasPrefix(headerPrefix) {
                header(entry, &config, &problems)
            } else if let key = table.first(where: { $0.path == entry.path }) {
                if let problem = key.parse(entry.text, &config) {
                    problems.append(ConfigProblem(line: entry.line, message: "\(key.path): \(problem)"))
                }
            } else if entry.path.hasSuffix("distanceFilterM"), entry.text != "0" {
                let message = "\(entry.path) does not exist: thinning by distance creates drift; remove it"
                problems.append(ConfigProblem(line: entry.line, message: message))
            } else {
                warnings.append(unknown(entry, table))
            }
        }
        func line(_ path: String) -> Int { entries.last { $0.path == path }?.line ?? 0 }
        crossCheck(config, line: line, &problems)
        warnings += brokerIgnores(config, line: line) + idleWishes(config, line: line)
        config.applyAccuracyProfile()
        config.capture.turnBurstIntervalMillis = min(
            config.capture.turnBurstIntervalMillis, config.capture.vehicularIntervalMillis)
        if !problems.isEmpty { throw ConfigFailure(problems: problems.sorted { $0.line < $1.line }) }
        return ResolvedConfig(config: config, warnings: warnings, given: Set(entries.map(\.path)))
    }

    /// What can be used of a file with mistakes in it: for a look of the operator's, never for a daemon.
    public static func usable(_ entries: [ConfigEntry]) -> TrackerConfig {
        do throws(ConfigFailure) { return try resolve(entries).config } catch {
            let wrong = Set(error.problems.map(\.line))
            let rest = entries.filter { !wrong.contains($0.line) }
            return rest.count < entries.count ? usable(rest) : TrackerConfig()
        }
    }

    private static func header(_ entry: ConfigEntry, _ config: inout TrackerConfig, _ problems: inout [ConfigProblem]) {
        let name = String(entry.path.dropFirst(headerPrefix.count))
        if let problem = HeaderLines.problem(name: name, value: entry.text) {
            problems.append(ConfigProblem(line: entry.line, message: "upload.headers: \(problem)"))
        } else {
            config.sync.headers.append(SyncHeader(name, entry.text))
        }
    }

    private static func unknown(_ entry: ConfigEntry, _ table: [ConfigKey]) -> ConfigProblem {
        let leaf = entry.path.split(separator: ".").last.map(String.init) ?? entry.path
        let elsewhere = table.first { $0.path.hasSuffix("." + leaf) }
        let hint = elsewhere.map { "; did you mean \($0.path)?" } ?? "; remove it"
        return ConfigProblem(line: entry.line, message: "unknown key \(entry.path)\(hint)")
    }

    private static func crossCheck(
        _ config: TrackerConfig, line: (String) -> Int, _ problems: inout [ConfigProblem]
    ) {
        func problem(_ path: String, _ message: String) {
            problems.append(ConfigProblem(line: line(path), message: "\(path): \(message)"))
        }
        let capture = config.capture
        if capture.vehicularIntervalMillis > capture.intervalMillis {
            problem(
                "geolocation.vehicularIntervalMs",
                "\(capture.vehicularIntervalMillis) is longer than geolocation.intervalMs (\(capture.intervalMillis)); make it shorter"
            )
        }
        // A default that does not fit the operator's other interval is no mistake of theirs; it is shortened below.
        if line("geolocation.turnBurstIntervalMs") > 0, capture.turnBurst,
            capture.turnBurstIntervalMillis > capture.vehicularIntervalMillis
        {
            problem(
                "geolocation.turnBurstIntervalMs",
                "\(capture.turnBurstIntervalMillis) is longer than geolocation.vehicularIntervalMs (\(capture.vehicularIntervalMillis)); make it shorter, or set geolocation.turnBurst: false"
            )
        }
        crossCheckMotion(config, problem)
        if let text = powerControlProblem(config) { problem("gnss.powerControl", text) }
        crossCheckPower(config.power, problem)
        if (1..<10).contains(config.bearingChangeDeg) {
            problem("motion.bearingChangeCaptureDeg", "\(config.bearingChangeDeg) is noise; give 0 or 10…180")
        }
        if Int64(config.heartbeatSec) * 1_000 < capture.intervalMillis * 5 {
            problem("motion.heartbeatIntervalSec", "must be at least five times geolocation.intervalMs")
        }
        if (config.accuracyProfile == .custom) != (config.customMaxAccuracyM > 0) {
            problem(
                "geolocation.accuracy.maxAccuracyMeters",
                config.accuracyProfile == .custom
                    ? "profile custom needs it, 5…500"
                    : "it goes with profile custom only; remove it or set the profile")
        } else if config.accuracyProfile == .custom, config.customMaxAccuracyM < 5 {
            problem("geolocation.accuracy.maxAccuracyMeters", "\(config.customMaxAccuracyM) is below 5")
        }
        if capture.pipeline.ruleSet == .reference, capture.intervalMillis < 4_000 {
            problem("geolocation.intervalMs", "the reference rule set loses walks below 4000; make it longer")
        }
        if capture.pipeline.ruleSet == .reference, capture.rule == .geometry {
            problem("geolocation.capture", "the reference rule set knows intervals only; make it interval")
        }
        if config.sync.backoffCeilingMillis < config.sync.backoffInitialMillis {
            problem("upload.backoffCeilingSec", "must not be below upload.backoffInitialSec")
        }
        if HeaderLines.sizeBytes(config.sync.headers) > HeaderLines.limitBytes {
            problem("upload.headers", "more than 8 KiB in all; give fewer or shorter headers")
        }
        if config.tls.certificate.isEmpty != config.tls.key.isEmpty {
            problem(
                config.tls.key.isEmpty ? "upload.clientCertificate" : "upload.clientKey",
                "certificate and key go together; give upload.clientCertificate and upload.clientKey, or neither")
        }
        if config.modemPower != .none, config.modemDevice.isEmpty, !config.asksModemManager {
            problem("link.modemPower", "is of use with link.atDevice or link.modemManager: auto only; set one of them")
        }
        if config.modemPower == .modemManager, !config.modemDevice.isEmpty {
            problem("link.modemPower", "modemManager does not go with link.atDevice; remove it, or choose another")
        }
        if config.modemPower == .gpio, config.modemKeyLine == "none" {
            problem("link.powerKeyLine", "link.modemPower: gpio needs it")
        }
        if config.modemPower == .command {
            if config.modemOnCommand.isEmpty { problem("link.powerOnCommand", "link.modemPower: command needs it") }
            if config.modemOffCommand.isEmpty { problem("link.powerOffCommand", "link.modemPower: command needs it") }
        }
        let format = config.sync.payload.format
        if let message = deviceNameProblem(config.uploadURL, format, config.deviceID) { problem("device.id", message) }
        if let message = crossingsProblem(config) { problem("upload.geofenceEvents", message) }
        if let message = brokerFormatProblem(config.uploadURL, format) { problem("upload.format", message) }
        if let url = config.sync.url, let message = urlProblem(url, allowCleartext: config.allowCleartext) {
            problem("upload.url", message)
        }
    }

    private static func crossCheckPower(_ power: PowerConfig, _ problem: (String, String) -> Void) {
        let bars = [
            ("power.saveBelowPercent", power.saveBelowPercent),
            ("power.criticalBelowPercent", power.criticalBelowPercent),
            ("power.survivalBelowPercent", power.survivalBelowPercent),
            ("power.shutdownPercent", power.shutdownPercent),
        ]
        for (upper, lower) in zip(bars, bars.dropFirst()) where lower.1 > 0 && lower.1 >= upper.1 {
            problem(lower.0, "\(lower.1) must be below \(upper.0) (\(upper.1))")
        }
    }

    private static func crossCheckMotion(_ config: TrackerConfig, _ problem: (String, String) -> Void) {
        let capture = config.capture
        if capture.stillConfidenceMin < capture.activityConfidenceMin {
            problem(
                "motion.stillConfidenceMin",
                "\(capture.stillConfidenceMin) is below motion.activityConfidenceMin (\(capture.activityConfidenceMin)); make it at least that"
            )
        }
        if capture.stopOnStationary, capture.disableStopDetection {
            problem(
                "motion.stopOnStationary", "never happens with motion.disableStopDetection; set one of them to false")
        }
        if capture.deadStationaryMillis < capture.deadMovingMillis {
            problem("service.deadTrackerStationaryMin", "must not be below service.deadTrackerMovingMin")
        }
        if capture.navigationMode, capture.navigationIntervalMillis < 1_000 / Int64(max(1, config.gnssRateHz)) {
            problem(
                "geolocation.navigationIntervalMs",
                "\(capture.navigationIntervalMillis) is shorter than the receiver's rate; raise gnss.rateHz or make it longer"
            )
        }
    }

    /// Spec sync §8: absolute https; http only to loopback or when cleartext is allowed. The message never repeats the
    /// address: it may hold a credential.
    static func urlProblem(_ url: String, allowCleartext: Bool) -> String? {
        // Looked for first: an address of any scheme with a name and a password in it is told apart from a mistyped one.
        if url.prefix(while: { !"?#".contains($0) }).contains("@"), HostName.of(url) == nil {
            return "credentials do not belong into the URL; use upload.headers"
        }
        if MQTTAddress.isMeant(url) { return brokerProblem(url, allowCleartext: allowCleartext) }
        let isSecure = url.hasPrefix("https://")
        guard isSecure || url.hasPrefix("http://"), !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            return "that is no https:// or mqtts:// URL"
        }
        guard let host = HostName.of(url) else { return "the URL names no host" }
        if isSecure || HostName.isLoopback(host) || allowCleartext { return nil }
        return "http would send positions in the clear; use https, or set upload.allowCleartext: true"
    }
}

extension ConfigTable {
    /// `config explain`: one block a key.
    public static func explanation() -> String {
        let defaults = TrackerConfig()
        let rows = keys.map { key in
            let value = key.text(defaults)
            let unit = key.unit.isEmpty ? "" : " " + key.unit
            return
                "\(key.path)\n    \(key.meaning)\n    default \(value.isEmpty ? "none" : value + unit); valid: \(key.valid)\n"
        }
        return rows.joined() + "\(headerPrefix)NAME\n    a request header, for credentials; never shown or logged\n"
    }
}
