/// A cellular modem as ModemManager tells of it: the numbers of its D-Bus interfaces `Modem` and `Modem.Modem3gpp`, whose
/// meanings are in `ModemManager-enums.h`.
public struct ManagedModem: Equatable, Sendable {
    /// `MMModemState`: −1 failed, 0 unknown, 1 initializing, 2 locked, 3 disabled … 8 registered … 11 connected.
    public var state: Int32 = 0
    /// `MMModemStateFailedReason`, of state −1.
    public var failedReason: UInt32 = 0
    /// `MMModemLock`: what has to be given before the SIM can be used.
    public var lock: UInt32 = 0
    /// `MMModem3gppRegistrationState`; `nil` while it tells none.
    public var registration: UInt32?
    /// 0…100 %; `nil` while it tells none.
    public var quality: UInt32?
    /// Bits of `MMModemAccessTechnology`.
    public var technologies: UInt32 = 0
    /// Of the operator; empty: not known.
    public var network = ""

    public init() {}
}
