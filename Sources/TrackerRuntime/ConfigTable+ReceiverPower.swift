import Ports

extension ConfigTable {
    /// When the receiver may rest.
    static var receiverPower: [ConfigKey] {
        [
            .choice(
                "gnss.powerControl", ReceiverPowerControl.allCases.map(\.rawValue),
                "how the receiver is sent to rest while the tracker is still: not at all, by UBX-RXM-PMREQ, or by PMTK161",
                get: { $0.powerControl.rawValue },
                set: { config, text in ReceiverPowerControl(rawValue: text).map { config.powerControl = $0 } }),
            .integer(
                "gnss.warmupMs", \.warmupMillis, 0...60_000, unit: "ms",
                "what device-cli fix waits longer for a receiver that rests"),
            .integer(
                "service.backstopIntervalMin", \.backstopMillis, 5...1_440, scale: 60_000, unit: "min",
                "a resting receiver is looked at this often; half, a quarter and a 24th as often in lower battery tiers"
            ),
        ]
    }

    /// What is wrong with a power control for where the receiver is.
    static func powerControlProblem(_ config: TrackerConfig) -> String? {
        guard config.powerControl != .none, GPSDAddress(config.gnssDevice) != nil else { return nil }
        return "gpsd has the receiver, and takes no commands for it; set it to none, or name the serial port"
    }
}
