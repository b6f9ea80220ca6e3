/// Keys that name a line of the board.
extension ConfigTable {
    private static let form = "none, a line's name or gpiochipN:NUMBER; ' low' behind it: active low"

    static var lines: [ConfigKey] {
        [
            line("device.ledLine", \.lightLine, "status light; its patterns are in docs/modules/gpio.md"),
            line(
                "device.buttonLine", \.buttonLine,
                "push-button: a press asks for a fix and an upload, 3 s start or stop the session"),
            line(
                "device.ignitionLine", \.ignitionLine,
                "active while the vehicle runs: it is about to move, and feeds the board"),
            line(
                "gnss.powerLine", \.receiverPowerLine,
                "feeds or enables the receiver while active; off for 2 s when the receiver is dead, and while it rests "
                    + "without supply (gnss.powerControl)"),
            line("accel.intLine", \.wakeLine, "interrupt of the accelerometer (INT1): at rest it is slept through"),
            line(
                "battery.alertLine", \.gaugeAlertLine,
                "alert of the fuel gauge, active low by itself: the battery is read when it falls past a bar"),
            line(
                "link.powerKeyLine", \.modemKeyLine,
                "of link.modemPower gpio: presses the modem's power key while active"),
            line(
                "link.modemStatusLine", \.modemStatusLine,
                "active while the modem is on; without it, what was done last counts"),
            .integer(
                "link.powerKeyMs", \.modemKeyMillis, 100...10_000, unit: "ms",
                "how long the modem's power key is pressed"),
            line(
                "gnss.pps", \.pulseLine,
                "the receiver's pulse per second, rising with the second; fixes are placed on it"),
            line(
                "gnss.resetLine", \.receiverResetLine, "resets the receiver while active; the same without a powerLine"),
        ]
    }

    private static func line(
        _ path: String, _ place: WritableKeyPath<TrackerConfig, String>, _ meaning: String
    ) -> ConfigKey {
        .text(
            path, place, valid: form, meaning,
            check: { text in
                text.isEmpty || text.utf8.count > 64 || text.hasPrefix(" ") ? "'\(text)' is no line; give \(form)" : nil
            })
    }
}
