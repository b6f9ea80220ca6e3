import TrackerModel

/// What the numbers of ModemManager mean here (`ModemManager-enums.h`).
extension ManagedModem {
    /// `MMModemState`, those that matter.
    private static let failed: Int32 = -1
    private static let locked: Int32 = 2
    private static let disabled: Int32 = 3
    private static let enabled: Int32 = 6
    private static let registered: Int32 = 8

    var sim: SIMState {
        // 2: no SIM; 3: it has a fault; 5: an eSIM without profiles.
        if state == Self.failed, [2, 3, 5].contains(failedReason) { return .absent }
        // 0: not known; 1: nothing; 3 and 5: PIN2 and PUK2, which data does not need.
        if state == Self.locked || ![0, 1, 3, 5].contains(lock) { return .locked }
        return state >= Self.disabled ? .ready : .busy
    }

    /// Numbered as in 27.007 §10.1.22.
    var networkRegistration: Registration? { registration.map { Registration(status: Int($0)) } }

    /// A route is not among what it knows.
    var stage: ModemReport.Stage {
        switch sim {
        case .absent, .locked: .sim
        case .busy: .starting
        case .ready: state >= Self.registered ? .routing : state >= Self.enabled ? .registering : .starting
        }
    }

    /// Why it is not past `starting`.
    var startingFault: ModemReport.Fault { state >= Self.disabled ? .disabled : .unusable }

    /// There is something to be reconnected: it is enabled, or can be.
    func canBeAsked(for remedy: ModemRemedy) -> Bool {
        remedy != .reconnect || state == Self.disabled || state >= Self.enabled
    }

    /// The best of those in use.
    var technology: String? {
        let names: [(bits: UInt32, name: String)] = [
            (1 << 15, "5G"), (1 << 14, "LTE"), (1 << 16, "LTE-M"), (1 << 17, "NB-IoT"),
            // UMTS, HSDPA, HSUPA, HSPA, HSPA+.
            (0b11_1110_0000, "UMTS"),
            // GSM, compact, GPRS, EDGE.
            (0b1_1110, "GSM"),
            // 1xRTT and three of EV-DO.
            (0b11_1100_0000_0000, "CDMA"),
        ]
        return names.first { technologies & $0.bits != 0 }?.name
    }
}

/// A modem that another program owns: it is not asked, what that program tells is taken.
extension ModemMachine {
    mutating func read(_ modem: ManagedModem?, _ now: Instant) {
        owned = modem
        guard config.isOwned, report.stage != .off else { return }
        report.sim = modem?.sim
        report.registration = modem?.networkRegistration
        report.quality = modem?.quality.map { min(Int($0), 100) }
        report.network = modem.flatMap { $0.network.isEmpty ? nil : $0.network }
        report.technology = modem?.technology
        guard !isRouteUp else { return }
        if report.stage != knownStage { enter(knownStage, now) }
        // Waiting unlocks no SIM. What is overdue may be so for another reason by now.
        if report.fault != nil || (report.stage == .sim && report.sim == .locked) { overdue(now) }
    }
}
