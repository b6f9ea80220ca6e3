/// What a receiver can be told and may forget.
struct ReceiverConfiguration: Equatable, Sendable {
    var baud: Int
    /// Between epochs, 100…10 000 ms.
    var periodMillis: Int
    /// Every n-th epoch; a message that is not in here is off.
    var rates: [ReceiverMessage: Int]
    var hearsUBX: Bool
    var hearsNMEA = true
    var sendsUBX: Bool
    var sendsNMEA = true
    /// Values that are kept and told; of them `isCyclic` alone changes what the model sends (dynamic model…).
    var others: [UInt32: UInt64] = [:]

    static func factory(_ family: SimulatedFamily, baud: Int) -> ReceiverConfiguration {
        var rates: [ReceiverMessage: Int] = [.rmc: 1, .gga: 1, .gsa: 1, .gsv: 1]
        switch family {
        case .ublox6, .ublox8, .ublox10:
            rates[.vtg] = 1
            rates[.gll] = 1
        case .mtk:
            rates[.vtg] = 1
            rates[.gsv] = 5
        case .quectel:
            rates[.vtg] = 1
            rates[.gll] = 1
        case .generic: break
        }
        return ReceiverConfiguration(
            baud: baud, periodMillis: 1_000, rates: rates, hearsUBX: family.speaksUBX, sendsUBX: family.speaksUBX)
    }

    /// It saves power between two fixes: CFG-PM-OPERATEMODE 2, or a set-up of CFG-PMS that is kept under its number.
    var isCyclic: Bool { others[Self.operateMode] == 2 || others[Self.powerSetup] == 3 }
    private static let operateMode: UInt32 = 0x20D0_0001
    static let powerSetup: UInt32 = 0x0686

    func rate(of message: ReceiverMessage) -> Int { rates[message] ?? 0 }

    /// Off when the rate is 0.
    mutating func set(_ message: ReceiverMessage, rate: Int) { rates[message] = rate > 0 ? rate : nil }

    /// True when the message is due in this epoch and its protocol is on.
    func sends(_ message: ReceiverMessage, inEpoch epoch: Int) -> Bool {
        guard let rate = rates[message], message.isUBX ? sendsUBX : sendsNMEA else { return false }
        return epoch % rate == 0
    }
}

/// The copies of a configuration that outlive the main supply.
struct ConfigurationMemory: Equatable, Sendable {
    /// Kept by the backup battery.
    var backup: ReceiverConfiguration?
    /// Kept for ever.
    var flash: ReceiverConfiguration?

    /// What a start loads.
    func loaded(orFactory factory: ReceiverConfiguration) -> ReceiverConfiguration { backup ?? flash ?? factory }
}
