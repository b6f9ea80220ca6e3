public import TrackerModel

/// The modem as an operator sees it.
public struct ModemReport: Equatable, Sendable {
    public enum Stage: String, Sendable {
        case off
        /// Nothing has answered on the command port yet, or its owner has not got it running.
        case starting
        case sim
        case registering
        /// Registered; the default route is missing.
        case routing
        case up
    }

    /// Which limit of bringing it up passed, and so what to look at.
    public enum Fault: String, Sendable {
        /// The command port cannot be opened.
        case noPort
        /// The port is there, nothing answers.
        case silent
        /// Its owner has none.
        case noModem
        /// Its owner keeps it switched off.
        case disabled
        /// Its owner cannot do anything with it.
        case unusable
        case simAbsent
        case simLocked
        case notRegistered
        case denied
        case noRoute
        /// There is a route, and nothing comes back over it.
        case noAnswer

        /// What to do, one sentence for the operator.
        public var remedy: String {
            switch self {
            case .noPort: "Check link.atDevice, the modem's power and its USB or serial wiring."
            case .silent: "Check the modem's power and power key, and that link.atDevice is its command port."
            case .noModem: "Check the modem's power and its USB wiring, that ModemManager runs, and what mmcli -L says."
            case .disabled: "ModemManager has it switched off: nmcli radio wwan on, or mmcli -m any --enable."
            case .unusable: "ModemManager does not get it running: see mmcli -m any and journalctl -u ModemManager."
            case .simAbsent: "Put a SIM in, contacts towards the board, and check its holder."
            case .simLocked: "Take the PIN off the SIM, in a phone or with AT+CLCK."
            case .notRegistered: "Check the antenna and the coverage at this place."
            case .denied: "The network refuses this SIM: check the contract, and roaming."
            case .noRoute: "It is registered, but the host has no route over it: check the APN in its network setup."
            case .noAnswer: "There is a route, but nothing answers over it: check the data contract and upload.url."
            }
        }
    }

    public var stage: Stage
    public var since: Instant
    /// `nil` while everything is in its time.
    public var fault: Fault?
    public var sim: SIMState?
    public var registration: Registration?
    /// Signal, 0…100 %; `nil` when not known.
    public var quality: Int?
    public var network: String?
    /// What it talks to the network with: `LTE`; only the program that owns a modem tells.
    public var technology: String?
    /// The last remedy tried since the trouble began.
    public var remedy: ModemRemedy?
    /// In the last 24 hours.
    public var powerCycles: Int
}
