/// What `AT+CPIN?` says of the SIM (27.007 §8.3, error numbers §9.2).
public enum SIMState: String, Equatable, Sendable {
    case ready
    /// It wants a PIN, PUK or the like, which only a person can give.
    case locked
    case absent
    /// Still starting, or the modem does not say.
    case busy

    init(_ reply: ATReply) {
        switch reply {
        case .ok("READY"): self = .ready
        case .ok(.some): self = .locked
        // 10: SIM not inserted; 13: SIM failure; 15: SIM wrong.
        case .refused(10), .refused(13), .refused(15): self = .absent
        // 5, 6, 7: PH-SIM PIN and PUK; 11, 12: SIM PIN, PUK; 16: incorrect password; 17, 18: PIN2, PUK2.
        case .refused(let number?) where [5, 6, 7, 11, 12, 16, 17, 18].contains(number): self = .locked
        case .ok(nil), .refused, .silence: self = .busy
        }
    }
}

/// What `AT+CEREG?` or `AT+CGREG?` says of the network (27.007 §10.1.22).
public enum Registration: String, Equatable, Sendable {
    case home
    case roaming
    case searching
    case denied
    /// Not registered and not looking for a network, or out of coverage.
    case none

    /// `<n>,<stat>[,…]`; `nil` when that is not what came.
    init?(_ information: String) {
        let fields = information.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count >= 2, let status = Int(fields[1].filter { $0 != " " }) else { return nil }
        self.init(status: status)
    }

    /// - Parameter status: `<stat>`.
    init(status: Int) {
        switch status {
        // 9 and 10: registered, circuit-switched fallback not preferred.
        case 1, 9: self = .home
        case 5, 10: self = .roaming
        case 2: self = .searching
        case 3: self = .denied
        // 6 and 7 carry short messages only, 8 emergency calls only: no packets.
        default: self = .none
        }
    }

    public var isRegistered: Bool { self == .home || self == .roaming }
}

/// What `AT+CSQ` says of the signal.
public enum SignalQuality {
    /// 0…31, −113 to −51 dBm in steps of 2 dB (27.007 §8.5), as 0…100 %; `nil` for 99, not known.
    static func percent(_ information: String) -> Int? {
        guard let first = information.split(separator: ",").first, let step = Int(first), (0...31).contains(step) else {
            return nil
        }
        return step * 100 / 31
    }
}

/// What `AT+COPS?` says of the operator.
enum NetworkName {
    /// The text between the first pair of quotes of `<mode>,<format>,"<name>",…`; `nil` while there is none.
    static func name(_ information: String) -> String? {
        let parts = information.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 3, !parts[1].isEmpty else { return nil }
        return String(parts[1].prefix(64))
    }
}
