public import WireText

/// A status snapshot as a page for a person at a terminal.
public enum StatusPage {
    /// - Parameter snapshot: what `Runtime.status` gave, possibly read back from a file: absent fields are left out.
    public static func text(_ snapshot: JSONValue) -> String {
        var lines: [String] = []
        func row(_ label: String, _ parts: [String?]) {
            let text = parts.compactMap { $0 }.joined(separator: ", ")
            if !text.isEmpty { lines.append(label + String(repeating: " ", count: max(1, 15 - label.count)) + text) }
        }
        func show(_ path: String, _ prefix: String = "", _ suffix: String = "") -> String? {
            snapshot[path].map { prefix + plain($0) + suffix }
        }
        func age(_ path: String, _ prefix: String = "", _ suffix: String = "") -> String? {
            snapshot[path]?.doubleValue.map { prefix + duration($0) + suffix }
        }
        func degrees(_ path: String) -> String? {
            snapshot[path]?.doubleValue.flatMap { JSONValue.decimal($0, places: 7)?.text }
        }
        func size(_ path: String, _ suffix: String) -> String? {
            snapshot[path]?.doubleValue.flatMap { JSONValue.decimal($0 / 1e6, places: 1)?.text }.map {
                $0 + " MB" + suffix
            }
        }
        row(
            "service",
            [
                show("service.state"), show("service.version", "version "),
                age("service.uptimeSec", "up "),
                snapshot["service.timeScale"]?.doubleValue == 1 ? nil : show("service.timeScale", "time × "),
                snapshot["service.configSource"]?.stringValue == "lastGood" ? "ON THE LAST GOOD CONFIGURATION" : nil,
            ])
        for warning in snapshot["service.warnings"]?.arrayValue ?? [] { row("  warning", [plain(warning)]) }
        row(
            "session",
            [
                show("session.id").map { String($0.prefix(8)) }, show("session.tag"),
                show("session.startedAt", "since "),
                show("session.points", "", " points"), show("session.distanceM", "", " m"),
                snapshot["session.resumed"]?.boolValue == true ? "resumed" : nil,
                snapshot["session"] == nil ? "none, device-cli start opens one" : nil,
                show("odometer.totalM", "all sessions ", " m"),
            ])
        row(
            "receiver",
            [
                show("receiver.state"), show("receiver.device"), show("receiver.baud", "", " bit/s"),
                show("receiver.satellitesUsed", "", " satellites"),
                age("receiver.lastFixAgeSec", "last fix ", " ago"),
                show("receiver.sentences", "", " sentences"), show("receiver.badChecksums", "", " bad checksums"),
            ])
        row(
            "  module",
            [
                show("receiver.family"), show("receiver.model"), show("receiver.firmware"), show("receiver.protocol"),
                show("receiver.configured", "configured "), show("receiver.health.antenna", "antenna "),
                show("receiver.health.jamming", "jamming ", "/255"),
                snapshot["receiver.searching"]?.boolValue == true ? "searching for its speed" : nil,
            ])
        row(
            "  power",
            [
                show("receiver.power.state"), show("receiver.power.rest"), age("receiver.power.sinceSec", "for "),
                show("receiver.power.why", "last on for "), age("receiver.power.nextFixSec", "next fix in "),
                age("receiver.power.onTodaySec", "on for ", " today"),
            ])
        row("  problem", [show("receiver.power.problem")])
        row("  problem", [show("receiver.problem")])
        row(
            "position",
            [
                degrees("position.latitude"), degrees("position.longitude"), show("position.accuracyM", "± ", " m"),
                show("position.time"),
            ])
        row(
            "motion",
            [
                show("motion.state"), age("motion.sinceSec", "for "), show("motion.activity"),
                show("motion.quality", "sensors "),
            ])
        row(
            "accelerometer",
            [
                show("accelerometer.state"), show("accelerometer.model"), show("accelerometer.name"),
                age("accelerometer.stillSec", "still for "),
                show("accelerometer.rmsG", "RMS ", " g"),
            ])
        row("  problem", [show("accelerometer.problem")])
        for line in snapshot["lines"]?.arrayValue ?? [] {
            row("line", ["key", "line", "state"].map { line[$0].map(plain) })
            row("  problem", [line["problem"].map(plain)])
        }
        row(
            "cadence",
            [
                show("cadence.tier"),
                snapshot["cadence.intervalMs"]?.intValue.map { "a fix every " + duration(Double($0) / 1_000) },
            ])
        row(
            "power",
            [
                show("power.tier"), show("power.percent", "battery ", " %"),
                snapshot["power.known"]?.boolValue == false ? "battery unknown" : nil,
                snapshot["power.isCharging"]?.boolValue == true ? "charging" : nil,
                snapshot["power.underVoltage"]?.boolValue == true ? "UNDER-VOLTAGE" : nil,
                age("power.override.remainingSec", "set by the operator for "),
                snapshot["power.presentMw"]?.doubleValue.flatMap { JSONValue.decimal($0, places: 0)?.text }.map {
                    "about \($0) mW"
                },
                show("power.wakeUpsPerHour", "", " wake-ups an hour"),
            ])
        row("  boot gate", [show("power.gate")])
        row("  problem", [show("power.problem")])
        row("geofences", [show("geofences.armed", "", " armed"), show("geofences.inside", "inside ")])
        row("link", linkParts(snapshot["link"]))
        row("  modem", modemParts(snapshot["link.modem"]))
        row("  problem", [show("link.modem.remedy"), show("link.modem.problem")])
        row(
            "queue",
            [
                show("queue.state"),
                show("queue.pending", "", " pending"), show("queue.quarantined", "", " quarantined"),
                show("queue.oldest", "oldest "),
                show("queue.lastUpload", "last upload "),
                show("queue.lastAnswer", "last answer "), age("queue.nextAttemptSec", "next attempt in "),
            ])
        row("  next", [show("queue.policy.text")])
        row("  today", [snapshot["queue.today"].map(SyncPage.counts)])
        row("  problem", [show("queue.problem")])
        row(
            "storage",
            [
                show("storage.state"), show("storage.path"), size("storage.usedBytes", " used"),
                size("storage.freeBytes", " free"), show("storage.written.commits", "", " commits"),
                size("storage.written.bytesPerDay", " written a day"),
            ])
        row("  problem", [show("storage.problem")])
        row("  salvage", [show("storage.salvage.percent", "", " %"), show("storage.salvage.text")])
        row("  diagnosis", [show("storage.layerProblem")])
        row(
            "clock",
            [
                snapshot["clock.trusted"]?.boolValue == true ? "trusted" : "not trusted yet",
                show("clock.source", "source "),
                show("clock.utc"), show("clock.chrony.samples", "", " readings to chrony"),
            ])
        row("  problem", [show("clock.chrony.problem")])
        return lines.joined(separator: "\n") + "\n"
    }

    /// What a link's status says; empty for one that nobody watches.
    static func linkParts(_ link: JSONValue?) -> [String?] {
        guard let link, let state = link["state"]?.stringValue, state != "unwatched" else { return [] }
        func text(_ name: String) -> String? { link[name].map(plain) }
        func age(_ name: String) -> String? { link[name]?.doubleValue.map(duration) }
        return [
            state, text("interface"), link["metered"]?.boolValue == true ? "metered" : nil,
            text("quality").map { "quality \($0) of 100" }, age("sinceSec").map { "for \($0)" },
            text("lastExchange").map {
                "last exchange \($0)" + (age("lastExchangeAgeSec").map { ", \($0) ago" } ?? "")
            },
        ]
    }

    private static func modemParts(_ modem: JSONValue?) -> [String?] {
        guard let modem else { return [] }
        func text(_ name: String) -> String? { modem[name].map(plain) }
        return [
            text("stage"), modem["sinceSec"]?.doubleValue.map { "for \(duration($0))" }, text("fault"),
            text("sim").map { "SIM \($0)" }, text("registration"), text("network"),
            text("quality").map { "signal \($0) of 100" }, text("lastRemedy").map { "last remedy \($0)" },
            modem["powerCyclesToday"]?.intValue.flatMap { $0 > 0 ? "\($0) power cycles today" : nil },
        ]
    }

    /// `device-cli link`.
    public static func link(_ link: JSONValue) -> String {
        let parts = linkParts(link).compactMap { $0 }
        let modem = modemParts(link["modem"]).compactMap { $0 }
        var lines = [parts.isEmpty ? "nobody watches the link here" : parts.joined(separator: ", ")]
        if !modem.isEmpty { lines.append("modem " + modem.joined(separator: ", ")) }
        for name in ["remedy", "problem"] { if let text = link["modem"]?[name] { lines.append(plain(text)) } }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `12 s`, `7 min 19 s`, `3 h 4 min`, `2 d 5 h`: two units are enough for a person.
    public static func duration(_ seconds: Double) -> String {
        guard seconds >= 60 else {
            return (JSONValue.decimal(seconds, places: seconds < 10 ? 1 : 0)?.text ?? "0") + " s"
        }
        let whole = Int64(min(seconds, 1e12))
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        if whole < 86_400 { return "\(whole / 3_600) h \(whole / 60 % 60) min" }
        return "\(whole / 86_400) d \(whole / 3_600 % 24) h"
    }

    private static func plain(_ value: JSONValue) -> String { value.stringValue ?? value.text }
}
