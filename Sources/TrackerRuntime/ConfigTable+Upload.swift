import Ports
import SyncEngine

extension ConfigTable {
    /// When uploads may happen, what happens to refused credentials, and where credentials come from.
    static var uploadRules: [ConfigKey] {
        [
            .choice(
                "upload.order", SyncConfig.Order.allCases.map(\.rawValue),
                "what leaves first of more than one batch: the oldest points, or the newest one and then the oldest",
                get: { $0.sync.order.rawValue },
                set: { config, text in SyncConfig.Order(rawValue: text).map { config.sync.order = $0 } }),
            .integer(
                "upload.maxQueueRows", \.sync.maxQueueRows, 0...100_000_000,
                "queued points beyond this are dropped, oldest first; 0 = none are"),
            .flag(
                "upload.requiresNetworkConnectivity", \.sync.requiresNetwork,
                "no attempt without a default route (this host as server needs none)"),
            .flag("upload.allowMetered", \.sync.allowsMetered, "use links that cost money"),
            .text(
                "upload.meteredInterfaces", \.sync.meteredInterfaces,
                valid: "interface names with commas; * ends a name", "which links cost money",
                check: { $0.utf8.count > 256 ? "longer than 256 bytes" : nil }),
            .integer(
                "upload.meteredGraceHours", \.sync.meteredGraceMillis, 0...8_760, scale: 3_600_000, unit: "h",
                "they are used after all when the oldest point has waited so long"),
            .integer(
                "upload.minBatch", \.sync.minBatch, 0...1_000, unit: "points",
                "an upload of fewer waits, unless it is urgent or the oldest is due; 0 = by tier: 1, saver 20, below 50"
            ),
            .integer(
                "upload.dailyByteBudget", \.sync.dailyByteBudget, 0...1_000_000_000_000, unit: "B",
                "up and down in a UTC day; beyond it only what is urgent is sent; 0 = any number"),
            .text(
                "link.interface", \.linkInterface, valid: "an interface name; empty: any",
                "the interface whose default route and carrier are the link", check: interfaceProblem),
            .text(
                "link.atDevice", \.modemDevice, valid: "absolute path; empty: none",
                "the AT command port of a cellular modem, one that nothing else uses", check: pathProblem),
            .choice(
                "link.modemManager", ModemManagerUse.allCases.map(\.rawValue),
                "whether ModemManager's modem is watched and mended where link.atDevice names none",
                get: { $0.modemManager.rawValue },
                set: { config, text in ModemManagerUse(rawValue: text).map { config.modemManager = $0 } }),
            .choice(
                "link.modemPower", ModemPowerControl.allCases.map(\.rawValue),
                "who switches the modem: nobody here, two programs of yours, its power key on link.powerKeyLine, or ModemManager",
                get: { $0.modemPower.rawValue },
                set: { config, text in ModemPowerControl(rawValue: text).map { config.modemPower = $0 } }),
            .text(
                "link.powerOnCommand", \.modemOnCommand, valid: "absolute path; empty: none",
                "program that powers the modem; without arguments, 30 s", check: pathProblem),
            .text(
                "link.powerOffCommand", \.modemOffCommand, valid: "absolute path; empty: none",
                "program that cuts the modem's power", check: pathProblem),
            .flag(
                "upload.wipeOnAuthExpiry", \.sync.wipesOnAuthExpiry,
                "delete the queued points when the server refuses the credential (401)"),
            .flag(
                "upload.stopTrackingOnAuthExpiry", \.sync.stopsTrackingOnAuthExpiry,
                "close the session when the server refuses the credential (401)"),
            .text(
                "upload.credentialFile", \.sync.credentialFile, valid: "absolute path; empty: none",
                "file with further header lines, such as Authorization: Bearer …; mode 0600 or 0640",
                check: pathProblem),
            .text(
                "upload.systemdCredential", \.sync.systemdCredential, valid: "a name; empty: none",
                "the same from the service manager (LoadCredential=)", check: referenceProblem),
            .text(
                "upload.credentialEnvironment", \.sync.credentialEnvironment, valid: "a name; empty: none",
                "the same from an environment variable", check: referenceProblem),
        ]
    }

    /// What TLS is made with.
    static var tlsFiles: [ConfigKey] {
        [
            .text(
                "upload.caFile", \.tls.authorities, valid: "absolute path; empty: the system's",
                "https and mqtts: the certificates to trust, PEM", check: pathProblem),
            .text(
                "upload.clientCertificate", \.tls.certificate, valid: "absolute path; empty: none",
                "https and mqtts: the certificate that this device shows, PEM", check: pathProblem),
            .text(
                "upload.clientKey", \.tls.key, valid: "absolute path; empty: none",
                "its private key, PEM, without a pass phrase; mode 0600 or 0640", check: pathProblem),
        ]
    }

    private static func pathProblem(_ text: String) -> String? {
        text.isEmpty || text.hasPrefix("/") ? nil : "'\(text)' is no absolute path"
    }

    /// The kernel's names have at most 15 bytes (IFNAMSIZ) and neither a slash nor white space.
    private static func interfaceProblem(_ text: String) -> String? {
        let isName = text.utf8.count <= 15 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
        return isName ? nil : "'\(text)' is no interface name"
    }

    private static func referenceProblem(_ text: String) -> String? {
        isName(text) && text.utf8.count <= 128 && text != "." && text != ".." ? nil : "'\(text)' is no name"
    }
}
