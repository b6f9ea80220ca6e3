public import WireText

/// The answer to `getSensors` as a page for a person at a terminal.
public enum SensorsPage {
    public static func text(_ sensors: JSONValue) -> String {
        var lines: [String] = []
        func row(_ label: String, _ parts: [String?]) {
            let text = parts.compactMap { $0 }.joined(separator: ", ")
            if !text.isEmpty { lines.append(label + String(repeating: " ", count: max(1, 15 - label.count)) + text) }
        }
        func show(_ path: String, _ prefix: String = "", _ suffix: String = "") -> String? {
            sensors[path].map { prefix + ($0.stringValue ?? $0.text) + suffix }
        }
        row(
            "accelerometer",
            [
                show("accelerometer.state"), show("accelerometer.model"), show("accelerometer.name"),
                show("accelerometer.address", "at "),
            ])
        row("  problem", [show("accelerometer.problem")])
        row(
            "  sampling",
            [
                show("accelerometer.rateHz", "", " Hz now"), show("accelerometer.movingRateHz", "", " Hz while moving"),
                show("accelerometer.noiseG", "noise ", " g"), show("accelerometer.gapPercent", "", " % lost"),
                show("accelerometer.overruns", "", " overruns"),
            ])
        let uses = [
            ("stepCounting", "steps"), ("activityRecognition", "activity"), ("wakeInterrupt", "wake interrupt"),
            ("barometer", "barometer"),
        ]
        for (label, wanted) in [("has", true), ("has not", false)] {
            row(label, uses.filter { sensors[$0.0]?.boolValue == wanted }.map(\.1))
        }
        for line in sensors["lines"]?.arrayValue ?? [] {
            row("line", ["key", "line", "state"].map { line[$0]?.stringValue })
            row("  problem", [line["problem"]?.stringValue])
        }
        row("motion quality", [show("motionQuality")])
        row("  missing", (sensors["missing"]?.arrayValue ?? []).map { $0.stringValue ?? $0.text })
        if let test = sensors["selfTest"] { row("self-test", selfTest(test)) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func selfTest(_ test: JSONValue) -> [String] {
        let verdict = test["passed"]?.boolValue == true ? "passed" : "FAILED"
        guard test["judged"]?.boolValue == true else {
            return ["not judged: the chip holds no factory values to compare with"]
        }
        func value(_ name: String, _ axis: Int) -> String {
            let values = test[name]?.arrayValue ?? []
            return axis < values.count ? values[axis].text : "?"
        }
        return [verdict]
            + ["x", "y", "z"].enumerated().map { axis, name in
                "\(name) \(value("changesG", axis)) g of \(value("atLeastG", axis))…\(value("atMostG", axis))"
            }
    }
}
