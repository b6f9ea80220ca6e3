/// What is asked of a cellular modem on its command port, in the words of 3GPP TS 27.007 and ITU-T V.250.
public enum ATCommand: Equatable, Sendable, CaseIterable {
    /// `AT`: is anybody there? Also lets the modem find the line's speed.
    case attention
    /// `ATE0`: no echo from here on.
    case echoOff
    /// `AT+CMEE=1`: failures come with their number (27.007 §9.1).
    case numberedErrors
    /// `AT+CPIN?` (§8.3).
    case simState
    /// `AT+CSQ` (§8.5).
    case signal
    /// `AT+CEREG?`: LTE and later (§10.1.22).
    case epsRegistration
    /// `AT+CGREG?`: GPRS and UMTS (§10.1.20), for modems that know no LTE.
    case packetRegistration
    /// `AT+COPS?` (§7.3).
    case networkName
    /// `AT+CGATT=0`: leave the packet service (§10.1.9).
    case detach
    /// `AT+CGATT=1`: join it again.
    case attach
    /// `AT+CFUN=1,1`: full function after a reset (§8.2).
    case reset

    /// Without the carriage return that ends it.
    public var text: String {
        switch self {
        case .attention: "AT"
        case .echoOff: "ATE0"
        case .numberedErrors: "AT+CMEE=1"
        case .simState: "AT+CPIN?"
        case .signal: "AT+CSQ"
        case .epsRegistration: "AT+CEREG?"
        case .packetRegistration: "AT+CGREG?"
        case .networkName: "AT+COPS?"
        case .detach: "AT+CGATT=0"
        case .attach: "AT+CGATT=1"
        case .reset: "AT+CFUN=1,1"
        }
    }

    /// How the line begins that answers it, beside the final result; `nil` where only the result comes.
    var informationPrefix: String? {
        switch self {
        case .simState: "+CPIN:"
        case .signal: "+CSQ:"
        case .epsRegistration: "+CEREG:"
        case .packetRegistration: "+CGREG:"
        case .networkName: "+COPS:"
        case .attention, .echoOff, .numberedErrors, .detach, .attach, .reset: nil
        }
    }

    /// How long an answer is waited for. A modem that lives answers queries at once; vendors give 5 s for the SIM, 15 s
    /// for a change of function and up to 140 s for the packet service (SIM7600 and EG25-G command manuals).
    public var timeoutMillis: Int64 {
        switch self {
        case .attention, .echoOff, .numberedErrors, .signal, .epsRegistration, .packetRegistration: 2_000
        case .simState, .networkName: 5_000
        case .reset: 15_000
        case .detach, .attach: 140_000
        }
    }
}
