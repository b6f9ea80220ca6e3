public import WireText

/// A status snapshot as a page for a person at a terminal.
public enum StatusPage {
    /// - Parameter snapshot: what `Runtime.status` gave, possibly read back from a file: absent fields are left out.
    public static func text(_ snapshot: JSONValue) -> String {
        var rows = PageRows(snapshot)
        rows.service()
        rows.receiver()
        rows.motion()
        rows.power()
        rows.upload()
        rows.storage()
        return rows.text
    }

    /// What a link's status says; empty for one that nobody watches.
    fileprivate static func linkParts(_ link: JSONValue?) -> [String?] {
        guard let link, let state = link["state"]?.stringValue, state != "unwatched" else { return [] }
        func text(_ name: String) -> String? { link[name]?.plain }
        func age(_ name: String) -> String? { link[name]?.doubleValue.map(duration) }
        return [
            state, text("interface"), link["metered"]?.boolValue == true ? "metered" : nil,
            text("quality").map { "quality \($0) of 100" }, age("sinceSec").map { "for \($0)" },
            text("lastExchange").map {
                "last exchange \($0)" + (age("lastExchangeAgeSec").map { ", \($0) ago" } ?? "")
            },
        ]
    }

    fileprivate static func modemParts(_ modem: JSONValue?) -> [String?] {
        guard let modem else { return [] }
        func text(_ name: String) -> String? { modem[name]?.plain }
        return [
            text("stage"), modem["sinceSec"]?.doubleValue.map { "for \(duration($0))" }, text("fault"),
            text("sim").map { "SIM \($0)" }, text("registration"), text("network"), text("technology"),
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
        if let text = link["noModem"] { lines.append("no modem: " + text.plain) }
        for name in ["remedy", "problem"] { if let text = link["modem"]?[name] { lines.append(text.plain) } }
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
}

extension PageRows {
    /// The daemon and its session.
    fileprivate mutating func service() {
        row(
            "service",
            [
                show("service.state"), show("service.version", "version "),
                age("service.uptimeSec", "up "),
                json["service.timeScale"]?.doubleValue == 1 ? nil : show("service.timeScale", "time × "),
                json["service.configSource"]?.stringValue == "lastGood" ? "ON THE LAST GOOD CONFIGURATION" : nil,
            ])
        for warning in json["service.warnings"]?.arrayValue ?? [] { row("  warning", [warning.plain]) }
        row(
            "session",
            [
                show("session.id").map { String($0.prefix(8)) }, show("session.tag"),
                show("session.startedAt", "since "),
                show("session.points", "", " points"), show("session.distanceM", "", " m"),
                isTrue("session.resumed") ? "resumed" : nil,
                json["session"] == nil ? "none, device-cli start opens one" : nil,
                show("odometer.totalM", "all sessions ", " m"),
            ])
    }

    /// The receiver, its module and its supply.
    fileprivate mutating func receiver() {
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
                isTrue("receiver.searching") ? "searching for its speed" : nil,
            ])
        row(
            "  power",
            [
                show("receiver.power.state"), isTrue("receiver.power.cyclic") ? "cyclically" : nil,
                show("receiver.power.rest"), age("receiver.power.sinceSec", "for "),
                show("receiver.power.why", "last on for "), age("receiver.power.nextFixSec", "next fix in "),
                age("receiver.power.onTodaySec", "on for ", " today"),
            ])
        row("  held", [json["power.gate"] == nil ? show("receiver.held") : nil])
        row("  problem", [show("receiver.power.problem")])
        row("  problem", [show("receiver.problem")])
    }

    /// Where it is and what it does.
    fileprivate mutating func motion() {
        row(
            "position",
            [
                json["position.latitude"]?.rounded(7), json["position.longitude"]?.rounded(7),
                show("position.accuracyM", "± ", " m"),
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
        boardLines()
        row(
            "cadence",
            [
                show("cadence.tier"),
                json["cadence.intervalMs"]?.intValue.map { "a fix every " + StatusPage.duration(Double($0) / 1_000) },
            ])
    }

    /// The battery, and what else decides about fixes.
    fileprivate mutating func power() {
        row(
            "power",
            [
                show("power.tier"), show("power.percent", "battery ", " %"),
                json["power.known"]?.boolValue == false ? "battery unknown" : nil,
                isTrue("power.isCharging") ? "charging" : nil,
                isTrue("power.underVoltage") ? "UNDER-VOLTAGE" : nil,
                age("power.override.remainingSec", "set by the operator for "),
                json["power.presentMw"]?.rounded(0).map { "about \($0) mW" },
                show("power.wakeUpsPerHour", "", " wake-ups an hour"),
            ])
        row("  boot gate", [show("power.gate")])
        row("  problem", [show("power.problem")])
        row("geofences", [show("geofences.armed", "", " armed"), show("geofences.inside", "inside ")])
    }

    /// The way out, and what waits for it.
    fileprivate mutating func upload() {
        row("link", StatusPage.linkParts(json["link"]))
        row("  modem", StatusPage.modemParts(json["link.modem"]))
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
        row("  today", [json["queue.today"].map(SyncPage.counts)])
        row("  problem", [show("queue.problem")])
    }

    /// Where points are kept, and what time it is.
    fileprivate mutating func storage() {
        row(
            "storage",
            [
                show("storage.state"), show("storage.path"), megabytes("storage.usedBytes", " used"),
                megabytes("storage.freeBytes", " free"), show("storage.written.commits", "", " commits"),
                megabytes("storage.written.bytesPerDay", " written a day"),
            ])
        row("  problem", [show("storage.problem")])
        row("  salvage", [show("storage.salvage.percent", "", " %"), show("storage.salvage.text")])
        row("  diagnosis", [show("storage.layerProblem")])
        row(
            "clock",
            [
                isTrue("clock.trusted") ? "trusted" : "not trusted yet",
                show("clock.source", "source "),
                show("clock.utc"), show("clock.chrony.samples", "", " readings to chrony"),
            ])
        row("  problem", [show("clock.chrony.problem")])
    }

    private func megabytes(_ path: String, _ suffix: String) -> String? {
        json[path]?.doubleValue.flatMap { JSONValue.decimal($0 / 1e6, places: 1) }.map { "\($0.text) MB\(suffix)" }
    }
}
