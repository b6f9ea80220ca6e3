public import TrackerModel
import WireText

// Configuration by keys (protocol 27.00 and later, where CFG-PRT, CFG-RATE and CFG-MSG are gone or going), and the time.
extension ReceiverCommand {
    /// From this protocol version on, in hundredths, settings are set with keys.
    public static let firstVersionWithKeys = 2_700

    /// Sets values in the memory that is lost with the supply (CFG-VALSET, layer RAM): all of them or none.
    /// - Parameter settings: at most 64; what does not fit the size of its key is cut off.
    public static func ubxSet(_ settings: [(key: UBXKey, value: UInt64)]) -> ReceiverCommand {
        // Version, layer RAM, two reserved bytes.
        var payload: [UInt8] = [0, 1, 0, 0]
        for (key, value) in settings.prefix(64) {
            guard let length = key.valueLength else { continue }
            payload.append(key.id)
            for byte in 0..<length { payload.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        return ubx(
            messageClass: 0x06, messageID: 0x8A, payload, answer: .ubx(messageClass: 0x06, messageID: 0x8A))
    }

    /// Asks for speed and protocols of UART 1 as they are in force (CFG-VALGET, layer RAM).
    public static let ubxPollPortKeys: ReceiverCommand = {
        var payload: [UInt8] = [0, 0, 0, 0]
        for key in [UBXKey.uart1Baud, .uart1OutputUBX, .uart1OutputNMEA] { payload.append(key.id) }
        return ubx(messageClass: 0x06, messageID: 0x8B, payload, answer: .port)
    }()

    /// What time it is when the last byte arrives (MGA-INI-TIME_UTC, protocol 15 and later).
    /// - Parameter accuracyMillis: 1 σ, at most 65 535 s.
    public static func ubxAidTime(_ time: UTCTime, accuracyMillis: Int64) -> ReceiverCommand {
        let civil = CivilTime(time)
        // Type, version, reference: on receipt; leap seconds: −128, unknown.
        var payload: [UInt8] = [0x10, 0, 0, 0x80]
        payload.append(UInt16(clamping: civil.year))
        for part in [civil.month, civil.day, civil.hour, civil.minute, civil.second] {
            payload.append(UInt8(truncatingIfNeeded: part))
        }
        payload.append(UInt8(0))
        payload.append(UInt32(civil.millis) * 1_000_000)
        let (seconds, millis) = max(0, accuracyMillis).quotientAndRemainder(dividingBy: 1_000)
        payload.append(UInt16(clamping: seconds))
        payload += [0, 0]
        payload.append(UInt32(millis) * 1_000_000)
        return ubx(messageClass: 0x13, messageID: 0x40, payload)
    }
}
