public import WireText

/// Answers of the uploader as pages for a person at a terminal.
public enum SyncPage {
    public static func status(_ status: JSONValue) -> String {
        var rows: [(String, String)] = []
        func row(_ label: String, _ path: String, _ suffix: String = "") {
            if let value = status[path] { rows.append((label, value.plain + suffix)) }
        }
        row("state", "state")
        row("endpoint", "endpoint", status["endpointSource"] == "configured" ? ", by sync configure" : "")
        row("problem", "problem")
        row("pending", "pending", status["oldest"]?.stringValue.map { ", oldest \($0)" } ?? "")
        row("quarantined", "quarantined", ", see sync quarantine list")
        row("next upload", "policy.text")
        row("last upload", "lastUpload")
        row("last answer", "lastAnswer")
        row("failures", "failures", " in a row")
        if let seconds = status["nextAttemptSec"]?.doubleValue {
            rows.append(("next attempt", "in " + StatusPage.duration(seconds)))
        }
        if let radio = status["radio"] { rows.append(("last radio session", counts(radio))) }
        if let session = status["session"] { rows.append(("session", counts(session))) }
        for day in status["days"]?.arrayValue ?? [] { rows.append((day["date"]?.stringValue ?? "", counts(day))) }
        return table(rows)
    }

    public static func outcome(_ result: JSONValue) -> String {
        switch result["outcome"]?.stringValue {
        case "uploaded": "\(result["count"]?.text ?? "") points uploaded\n"
        case "empty": "nothing to upload\n"
        case "authExpired": "the server refused the credential (401); give another with device-cli sync configure\n"
        default:
            "not uploaded: \(result["reason"]?.stringValue ?? "")"
                + (result["afterSec"]?.doubleValue.map { "; next attempt in \(StatusPage.duration($0))" } ?? "")
                + (result["text"]?.stringValue.map { "; \($0)" } ?? "") + "\n"
        }
    }

    public static func steps(_ result: JSONValue) -> String {
        table(
            (result["steps"]?.arrayValue ?? []).map { step in
                let verdict = step["verdict"]?.stringValue ?? ""
                let text = step["text"]?.stringValue ?? ""
                return (step["step"]?.stringValue ?? "", verdict + (text.isEmpty ? "" : ": " + text))
            })
    }

    public static func quarantine(_ result: JSONValue) -> String {
        let rows = result["rows"]?.arrayValue ?? []
        if rows.isEmpty { return "nothing is set aside\n" }
        return rows.map { row in
            ["id", "time", "reason", "uuid"].compactMap { row[$0]?.plain }
                .joined(separator: "  ") + "\n"
        }.joined()
    }

    /// What was sent and what it cost; the radio's time is an estimate and says so.
    static func counts(_ counts: JSONValue) -> String {
        func number(_ name: String) -> String { counts[name]?.text ?? "0" }
        var text =
            "\(number("requests")) requests, \(number("rows")) points, \(number("bytesUp")) B up, "
            + "\(number("bytesDown")) B down"
        if let each = counts["bytesPerPoint"] { text += ", \(each.text) B a point" }
        if let millis = counts["radioMs"]?.doubleValue, millis > 0 {
            text += ", \(number("radioSessions")) radio sessions, on for about \(StatusPage.duration(millis / 1_000))"
        }
        return text
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { $0.0 + String(repeating: " ", count: width - $0.0.count) + $0.1 + "\n" }.joined()
    }
}
