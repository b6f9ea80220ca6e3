import Ports
import TrackerEngine

extension ConfigTable {
    /// When the receiver may rest.
    static var receiverPower: [ConfigKey] {
        [
            .choice(
                "gnss.powerControl", ReceiverPowerControl.allCases.map(\.rawValue),
                "how the receiver is sent to rest while the tracker is still: not at all, by UBX-RXM-PMREQ, PMTK161, PAIR003, "
                    + "or by gnss.powerLine",
                get: { $0.powerControl.rawValue },
                set: { config, text in ReceiverPowerControl(rawValue: text).map { config.powerControl = $0 } }),
            .choice(
                "gnss.whileMoving", ReceiverWhileMoving.allCases.map(\.rawValue),
                "while moving the receiver tracks; cyclic: in its own way that saves power (u-blox); auto: so in the battery "
                    + "tiers saver and critical; rest: it is off between judged fixes that are 30 s apart or more",
                get: { $0.whileMoving.rawValue },
                set: { config, text in ReceiverWhileMoving(rawValue: text).map { config.whileMoving = $0 } }),
            .integer(
                "gnss.warmupMs", \.warmupMillis, 0...60_000, unit: "ms",
                "what device-cli fix waits longer for a receiver that rests"),
            .integer(
                "service.backstopIntervalMin", \.backstopMillis, 5...1_440, scale: 60_000, unit: "min",
                "a resting receiver is looked at this often; half, a quarter and a 24th as often in lower battery tiers"
            ),
        ]
    }

    /// Wishes for the time under way that change nothing.
    static func idleWishes(_ config: TrackerConfig, line: (String) -> Int) -> [ConfigProblem] {
        let key = "gnss.whileMoving"
        guard config.whileMoving != .auto else { return [] }
        if config.powerControl == .none {
            return [ConfigProblem(line: line(key), message: "\(key) changes nothing while gnss.powerControl is none")]
        }
        let least = ReceiverPowerRules.leastRestMillis
        guard config.whileMoving == .rest, config.capture.adaptiveCadence,
            config.capture.vehicularIntervalMillis < least
        else { return [] }
        let message =
            "\(key): rest needs fixes \(least) ms apart or more; "
            + "geolocation.vehicularIntervalMs is \(config.capture.vehicularIntervalMillis)"
        return [ConfigProblem(line: line(key), message: message)]
    }

    /// What is wrong with a power control for where the receiver is.
    static func powerControlProblem(_ config: TrackerConfig) -> String? {
        if config.powerControl == .none { return nil }
        if GPSDAddress(config.gnssDevice) != nil {
            return "gpsd has the receiver, and takes no commands for it; set it to none, or name the serial port"
        }
        guard config.powerControl == .gpio, config.receiverPowerLine == "none" else { return nil }
        return "gpio switches the line of gnss.powerLine, and none is named; name it, or set this to ubx, mtk or pair"
    }
}
