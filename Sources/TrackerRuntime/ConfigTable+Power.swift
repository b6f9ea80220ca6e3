import TrackerEngine

extension ConfigTable {
    static var power: [ConfigKey] {
        [
            .text(
                "power.supplyPath", \.supplyPath, valid: "absolute path",
                "battery and charger as the kernel shows them", check: absolutePath),
            .text(
                "power.hwmonPath", \.hwmonPath, valid: "absolute path",
                "where a Raspberry Pi shows that its supply sags (rpi_volt)", check: absolutePath),
            .choice(
                "power.gauge", GaugeChoice.allCases.map(\.rawValue),
                "fuel gauge on I2C, read where the kernel knows of no battery; auto: look for a MAX17048 at the start",
                get: { $0.gauge.rawValue },
                set: { config, text in GaugeChoice(rawValue: text).map { config.gauge = $0 } }),
            .text(
                "power.gaugeBus", \.gaugeBus, valid: "/dev/i2c-N or unix:PATH", "where it is",
                check: {
                    $0.hasPrefix("/dev/i2c-") || $0.hasPrefix("unix:/")
                        ? nil : "'\($0)' is none of: /dev/i2c-N, unix:/PATH"
                }),
            .integer("power.gaugeAddress", \.gaugeAddress, 0x08...0x77, "its address, 0x36"),
            .integer(
                "power.lowPercent", \.power.lowPercent, 0...100, unit: "%", "at most this is told to listeners as low"),
            .integer(
                "power.saveBelowPercent", \.power.saveBelowPercent, 0...100, unit: "%", "tier saver: intervals × 2"),
            .integer(
                "power.criticalBelowPercent", \.power.criticalBelowPercent, 0...100, unit: "%",
                "tier critical: 300 s, moving 60 s"),
            .integer(
                "power.survivalBelowPercent", \.power.survivalBelowPercent, 0...100, unit: "%",
                "tier survival: one fix an hour; a start at or below it powers neither receiver nor modem"),
            .integer(
                "power.shutdownPercent", \.power.shutdownPercent, 0...100, unit: "%",
                "tier shutdown: one last upload, then the host is switched off; 0 = never"),
            .integer(
                "power.batteryMilliwattHours", \.batteryMilliwattHours, 0...10_000_000, unit: "mWh",
                "of a full battery, for the forecast of device-cli power; 0 = not known"),
        ] + model
    }

    /// What the energy ledger takes each part to draw.
    private static var model: [ConfigKey] {
        func microwatts(
            _ name: String, _ place: WritableKeyPath<TrackerConfig, Int64>, _ meaning: String
        ) -> ConfigKey {
            .integer("power.model.\(name)", place, 0...100_000_000, unit: "µW", meaning)
        }
        return [
            microwatts(
                "receiverAcquiringUw", \.energy.receiverAcquiringMicrowatts, "the receiver without a fix draws this"),
            microwatts("receiverTrackingUw", \.energy.receiverTrackingMicrowatts, "the same with a fix"),
            microwatts("receiverCyclicUw", \.energy.receiverCyclicMicrowatts, "the same tracking cyclically"),
            microwatts(
                "receiverStandbyUw", \.energy.receiverStandbyMicrowatts, "the same in standby (PMTK161, PAIR003)"),
            microwatts("receiverBackupUw", \.energy.receiverBackupMicrowatts, "the same in backup (UBX-RXM-PMREQ)"),
            microwatts(
                "accelRunningUw", \.energy.accelerometerRunningMicrowatts,
                "the accelerometer at accel.rateHz draws this"),
            microwatts("accelRestingUw", \.energy.accelerometerRestingMicrowatts, "the same while the device rests"),
            microwatts("modemIdleUw", \.energy.modemIdleMicrowatts, "the modem draws this; 0 where there is none"),
            microwatts("modemActiveUw", \.energy.modemActiveMicrowatts, "the same during an upload"),
            microwatts("modemTailUw", \.energy.modemTailMicrowatts, "the same in the 10 s after one"),
            microwatts("hostBaseUw", \.energy.hostBaseMicrowatts, "the idle board draws this"),
            .integer(
                "power.model.hostWakeUpUj", \.energy.hostWakeUpMicrojoules, 0...1_000_000, unit: "µJ",
                "one wake-up of the tracker costs this"),
            microwatts("hostCpuUw", \.energy.hostCPUMicrowatts, "a busy core draws this beside it"),
        ]
    }
}
