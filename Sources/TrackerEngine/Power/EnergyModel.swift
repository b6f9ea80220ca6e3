/// What each part draws in each of its states (spec power §7). Estimates: the defaults are typical values of data sheets
/// or measurements, named in `docs/modules/power.md`; what is measured on one's own board goes into `power.model.*`.
public struct EnergyModel: Equatable, Sendable {
    /// u-blox SAM-M8Q (UBX-16012619 R04, table 8), GPS and GLONASS at 3.0 V: 32 mA to the first fix, 29 mA tracking.
    public var receiverAcquiringMicrowatts: Int64 = 96_000
    public var receiverTrackingMicrowatts: Int64 = 87_000
    /// The same in power save mode at 1 Hz: 9.5 mA.
    public var receiverCyclicMicrowatts: Int64 = 28_500
    /// Hardware backup of the same family: 15 µA at 3.0 V.
    public var receiverBackupMicrowatts: Int64 = 45
    /// Quectel L76 in standby: about 600 µA at 3.3 V (hardware design, §3.3.2).
    public var receiverStandbyMicrowatts: Int64 = 2_000
    /// ST LIS3DH (DocID17530, current by rate) at 3.3 V, normal mode: 50 Hz 11 µA, 10 Hz 4 µA.
    public var accelerometerRunningMicrowatts: Int64 = 36
    public var accelerometerRestingMicrowatts: Int64 = 13
    /// An LTE Cat 4 module such as the Quectel EG25-G or SIMCom SIM7600 at 3.8 V, rounded: idle on USB about 30 mA,
    /// exchanging about 300 mA at the mean of transmit powers, connected but quiet about 100 mA.
    public var modemIdleMicrowatts: Int64 = 115_000
    public var modemActiveMicrowatts: Int64 = 1_150_000
    public var modemTailMicrowatts: Int64 = 380_000
    /// Raspberry Pi Zero 2 W, idle without display: 120 mA at 5 V (measured, cnx-software.com, 2021-12-09).
    public var hostBaseMicrowatts: Int64 = 600_000
    /// One wake-up of the idle host: about 1 ms at 0.2 W above idle.
    public var hostWakeUpMicrojoules: Int64 = 200
    /// One core busy: about 0.5 W above idle on the same board.
    public var hostCPUMicrowatts: Int64 = 500_000

    public init() {}
}

/// What the receiver draws its energy for.
public enum ReceiverPowerState: String, Sendable, CaseIterable {
    case off
    case backup
    case standby
    case acquiring
    case tracking
    /// With pauses between two fixes, by its own power save mode.
    case cyclic
}

public enum AccelerometerPowerState: String, Sendable, CaseIterable {
    case off
    case resting
    case running
}

public enum ModemPowerState: String, Sendable, CaseIterable {
    case off
    case idle
    case active
    /// The network keeps the radio up for some time after an exchange (spec power §7).
    case tail

    /// How long.
    public static let tailMillis: Int64 = 10_000
}

extension EnergyModel {
    func microwatts(_ state: ReceiverPowerState) -> Int64 {
        switch state {
        case .off: 0
        case .backup: receiverBackupMicrowatts
        case .standby: receiverStandbyMicrowatts
        case .acquiring: receiverAcquiringMicrowatts
        case .tracking: receiverTrackingMicrowatts
        case .cyclic: receiverCyclicMicrowatts
        }
    }

    func microwatts(_ state: AccelerometerPowerState) -> Int64 {
        switch state {
        case .off: 0
        case .resting: accelerometerRestingMicrowatts
        case .running: accelerometerRunningMicrowatts
        }
    }

    func microwatts(_ state: ModemPowerState) -> Int64 {
        switch state {
        case .off: 0
        case .idle: modemIdleMicrowatts
        case .active: modemActiveMicrowatts
        case .tail: modemTailMicrowatts
        }
    }
}
