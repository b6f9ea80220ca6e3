public import TrackerModel
public import WireText

/// The battery, the tier and the energy ledger as JSON and as pages for a person at a terminal.
public enum PowerPage {
    /// What listeners hear of, and the numbers beside it.
    public static func battery(_ reading: BatteryReading, lowPercent: Int, problem: String?) -> JSONObject {
        var object = BatteryInfo(reading, lowPercent: lowPercent).json
        object["voltageMV"] = reading.voltageMV.map { .int($0) }
        object["currentMA"] = reading.currentMA.map { .int($0) }
        if reading.isUnderVoltage { object["underVoltage"] = true }
        object["problem"] = problem.map { .string($0) }
        return object
    }

    /// `57 %, low, discharging, 3.700 V, -120 mA, on battery`.
    public static func text(battery: JSONValue) -> String {
        let source: String? =
            switch battery["powerSource"]?.stringValue {
            case "none": "no supply connected"
            case "ac": "mains"
            case "usb": "USB"
            default: nil
            }
        let parts: [String?] = [
            battery["percent"].map { "\($0.text) %" } ?? "battery unknown",
            battery["isLow"]?.boolValue == true ? "low" : nil,
            battery["isCharging"]?.boolValue.map { $0 ? "charging" : "discharging" },
            battery["voltageMV"]?.intValue.map { JSONValue.fixed($0, places: 3).text + " V" },
            battery["currentMA"].map { "\($0.text) mA" }, source,
            battery["underVoltage"]?.boolValue == true ? "UNDER-VOLTAGE" : nil,
        ]
        let line = parts.compactMap { $0 }.joined(separator: ", ") + "\n"
        return line + (battery["problem"]?.stringValue.map { "problem: \($0)\n" } ?? "")
    }

    /// `device-cli power`: the tier in a line, then a line a day with what each part used.
    public static func text(power: JSONValue) -> String {
        var text = "tier \(power["tier"]?.stringValue ?? "unknown")"
        if let rest = power["override"]?["remainingSec"]?.doubleValue {
            text += ", set by the operator for \(StatusPage.duration(rest))"
        }
        text += "; " + self.text(battery: power)
        if let gate = power["gate"]?.stringValue { text += "boot gate: \(gate)\n" }
        text += "\n" + row(columns.map(\.title)) + "\n"
        for day in [power["today"] ?? .null] + (power["past"]?.arrayValue ?? []) {
            text += row([day["date"]?.stringValue ?? ""] + columns.dropFirst().map { milliwattHours(day[$0.field]) })
            text += "\n"
        }
        text += "mWh by the model of power.model.*: an estimate, not a measurement\n"
        if let rate = power["presentMw"]?.rounded(0) {
            text += "at present \(rate) mW"
            text += power["forecastHours"]?.rounded(1).map { ", the battery lasts \($0) h\n" } ?? "\n"
        }
        return text
    }

    private static let columns: [(title: String, field: String)] = [
        ("day", "date"), ("receiver", "receiverMj"), ("accel", "accelerometerMj"), ("modem", "modemMj"),
        ("host", "hostBaseMj"), ("work", "hostWorkMj"), ("total", "totalMj"),
    ]

    private static func row(_ cells: [String]) -> String {
        let first = cells[0] + String(repeating: " ", count: max(1, 12 - cells[0].count))
        return first + cells.dropFirst().map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
    }

    /// 3 600 mJ are 1 mWh; tenths.
    private static func milliwattHours(_ millijoules: JSONValue?) -> String {
        guard let millijoules = millijoules?.intValue else { return "" }
        return JSONValue.fixed((millijoules + 180) / 360, places: 1).text
    }
}
