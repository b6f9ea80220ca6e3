public import WireText

/// The answer to `getSensors` as a page for a person at a terminal.
public enum SensorsPage {
    public static func text(_ sensors: JSONValue) -> String {
        var rows = PageRows(sensors)
        rows.sensors()
        return rows.text
    }

    fileprivate static func selfTest(_ test: JSONValue) -> [String] {
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

extension PageRows {
    fileprivate mutating func sensors() {
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
            row(label, uses.filter { json[$0.0]?.boolValue == wanted }.map(\.1))
        }
        boardLines()
        row("motion quality", [show("motionQuality")])
        row("  missing", (json["missing"]?.arrayValue ?? []).map { $0.plain })
        if let test = json["selfTest"] { row("self-test", SensorsPage.selfTest(test)) }
    }
}
