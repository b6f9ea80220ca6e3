public import WireText

/// A status snapshot as a page for a person at a terminal.
public enum StatusPage {
    /// - Parameter snapshot: what `Runtime.status` gave, possibly read back from a file: absent fields are left out.
    public static func text(_ snapshot: JSONValue) -> String {
        var lines: [String] = []
        func row(_ label: String, _ parts: [String?]) {
            let text = parts.compactMap { $0 }.joined(separator: ", ")
            if !text.isEmpty { lines.append(label + String(repeating: " ", count: max(1, 12 - label.count)) + text) }
        }
        func show(_ path: String, _ prefix: String = "", _ suffix: String = "") -> String? {
            snapshot[path].map { prefix + plain($0) + suffix }
        }
        row(
            "service",
            [
                show("service.state"), show("service.version", "version "),
                show("service.uptimeSec", "up ").map { $0 + " s" },
                snapshot["service.timeScale"]?.doubleValue == 1 ? nil : show("service.timeScale", "time × "),
                snapshot["service.configSource"]?.stringValue == "lastGood" ? "ON THE LAST GOOD CONFIGURATION" : nil,
            ])
        for warning in snapshot["service.warnings"]?.arrayValue ?? [] { row("  warning", [plain(warning)]) }
        row(
            "session",
            [
                show("session.id").map { String($0.prefix(8)) }, show("session.startedAt", "since "),
                show("session.points", "", " points"), show("session.distanceM", "", " m"),
                snapshot["session.resumed"]?.boolValue == true ? "resumed" : nil,
            ])
        row(
            "receiver",
            [
                show("receiver.state"), show("receiver.device"), show("receiver.baud", "", " bit/s"),
                show("receiver.satellitesUsed", "", " satellites"),
                show("receiver.lastFixAgeSec", "last fix ", " s ago"),
                show("receiver.sentences", "", " sentences"), show("receiver.badChecksums", "", " bad checksums"),
            ])
        row("  problem", [show("receiver.problem")])
        row(
            "position",
            [
                show("position.latitude"), show("position.longitude"), show("position.accuracyM", "± ", " m"),
                show("position.time"),
            ])
        row("motion", [show("motion.state"), show("motion.sinceSec", "for ", " s")])
        row(
            "accelerometer",
            [
                show("accelerometer.state"), show("accelerometer.name"),
                show("accelerometer.stillSec", "still for ", " s"),
                show("accelerometer.rmsG", "RMS ", " g"), show("accelerometer.problem"),
            ])
        row("cadence", [show("cadence.tier"), show("cadence.intervalMs", "a fix every ", " ms")])
        row(
            "power",
            [
                show("power.tier"), show("power.percent", "battery ", " %"),
                snapshot["power.known"]?.boolValue == false ? "battery unknown" : nil,
                snapshot["power.isCharging"]?.boolValue == true ? "charging" : nil,
            ])
        row(
            "queue",
            [
                show("queue.pending", "", " pending"), show("queue.oldest", "oldest "),
                show("queue.lastUpload", "last upload "),
                show("queue.lastAnswer", "last answer "), show("queue.nextAttemptSec", "next attempt in ", " s"),
            ])
        row("  problem", [show("queue.problem")])
        row(
            "storage",
            [
                show("storage.state"), show("storage.path"), show("storage.usedBytes", "", " bytes used"),
                show("storage.freeBytes", "", " bytes free"),
            ])
        row("  problem", [show("storage.problem")])
        row(
            "clock",
            [
                snapshot["clock.trusted"]?.boolValue == true ? "trusted" : "not trusted yet",
                show("clock.source", "source "),
                show("clock.utc"),
            ])
        return lines.joined(separator: "\n") + "\n"
    }

    private static func plain(_ value: JSONValue) -> String { value.stringValue ?? value.text }
}
