public import TrackerModel

// UBX messages to the receiver ("UBX-CFG", "UBX-MON", "UBX-RXM" and "UBX-MGA" of the interface descriptions of u-blox 5
// to 10). All settings go to the memory that is lost with the supply: a receiver is never left with settings of ours.
extension ReceiverCommand {
    /// A frame around this payload (at most 1 024 bytes).
    public static func ubx(
        messageClass: UInt8, messageID: UInt8, _ payload: [UInt8] = [], answer: Answer = .none
    ) -> ReceiverCommand {
        var bytes: [UInt8] = [UBXFrame.sync.0, UBXFrame.sync.1, messageClass, messageID]
        bytes.append(UInt16(truncatingIfNeeded: payload.count))
        bytes += payload
        let sums = bytes.withUnsafeBufferPointer { UBXFrame.checksum(UnsafeBufferPointer(rebasing: $0[2...])) }
        bytes += [sums.0, sums.1]
        return ReceiverCommand(bytes: bytes, answer: answer)
    }

    /// Asks for MON-VER.
    public static let ubxPollVersion = ubx(messageClass: 0x0A, messageID: 0x04, answer: .identity)

    /// Asks once for NAV-SAT (protocol 15 and later): the satellites, and whether their ephemeris is there.
    public static let ubxPollSatellites = ubx(messageClass: 0x01, messageID: 0x35)

    /// Asks for the settings of the port this arrives on (CFG-PRT, up to protocol 23).
    public static let ubxPollPort = ubx(messageClass: 0x06, messageID: 0x00, answer: .port)

    /// Sets UART 1 to this speed, 8N1, and to these protocols (CFG-PRT, up to protocol 23). The acknowledgement comes at
    /// one of the two speeds.
    public static func ubxPort(baud: Int, input: Protocols, output: Protocols) -> ReceiverCommand {
        var payload: [UInt8] = [1, 0, 0, 0]
        // Bits 6–7 eight data bits, 11 parity none, and the bit that u-blox 5 wants set.
        payload.append(UInt32(0x0000_08D0))
        payload.append(UInt32(clamping: baud))
        payload.append(input.rawValue)
        payload.append(output.rawValue)
        payload += [0, 0, 0, 0]
        return configure(0x00, payload)
    }

    /// Sets the time between solutions (CFG-RATE): measurements of GPS time, each a solution.
    /// - Parameter intervalMillis: 25…65 535, as far as the receiver can.
    public static func ubxRate(intervalMillis: Int) -> ReceiverCommand {
        var payload: [UInt8] = []
        for value in [UInt16(clamping: intervalMillis), 1, 1] { payload.append(value) }
        return configure(0x08, payload)
    }

    /// Sets how often a message is sent on the port this arrives on (CFG-MSG): every `rate`-th solution, 0 never.
    /// NMEA sentences have class F0: 00 GGA, 01 GLL, 02 GSA, 03 GSV, 04 RMC, 05 VTG, 07 GST, 08 ZDA, 0D GNS.
    public static func ubxMessageRate(messageClass: UInt8, messageID: UInt8, rate: UInt8) -> ReceiverCommand {
        configure(0x01, [messageClass, messageID, rate])
    }

    /// Writes all settings to every memory that keeps them (CFG-CFG). Nothing of the tracker sends it unasked.
    public static let ubxSave: ReceiverCommand = {
        var payload: [UInt8] = []
        for mask in [UInt32(0), 0xFFFF, 0] { payload.append(mask) }
        // Battery-backed memory, flash, EEPROM, SPI flash.
        return configure(0x09, payload + [0x17])
    }()

    /// Starts again (CFG-RST). No receiver acknowledges it.
    /// - Parameter restartsHardware: the whole chip, as after power-up; else only positioning.
    public static func ubxReset(_ start: Start, restartsHardware: Bool = false) -> ReceiverCommand {
        let forget: UInt16 =
            switch start {
            case .hot: 0x0000
            case .warm: 0x0001
            case .cold, .factory: 0xFFFF
            }
        var payload: [UInt8] = []
        payload.append(forget)
        // 4: hardware reset after an orderly shutdown; 2: positioning only.
        payload += [restartsHardware ? 4 : 2, 0]
        return ubx(messageClass: 0x06, messageID: 0x04, payload)
    }

    /// How power is saved while tracking (CFG-PMS, u-blox 8 from protocol 18 on, until keys took its place): cycles of a
    /// second, the set-up that saves most at 1 Hz, or none.
    public static func ubxPowerSetup(isCyclic: Bool) -> ReceiverCommand {
        // Version; 0 full power, 3 aggressive with 1 Hz; period and on time belong to another set-up; two reserved bytes.
        ubx(
            messageClass: 0x06, messageID: 0x86, [0, isCyclic ? 3 : 0, 0, 0, 0, 0, 0, 0],
            answer: .ubx(messageClass: 0x06, messageID: 0x86))
    }

    /// Sends the receiver to sleep, until the UART is active (RXM-PMREQ).
    /// - Parameters:
    ///   - durationMillis: 0 without end.
    ///   - protocolVersion: in hundredths; from 18.00 on the message names what wakes the receiver.
    public static func ubxBackup(durationMillis: Int, protocolVersion: Int?) -> ReceiverCommand {
        let duration = UInt32(clamping: durationMillis)
        guard let protocolVersion, protocolVersion >= 1_800 else {
            var payload: [UInt8] = []
            // Bit 1: backup.
            for value in [duration, 2] { payload.append(value) }
            return ubx(messageClass: 0x02, messageID: 0x41, payload)
        }
        var payload: [UInt8] = [0, 0, 0, 0]
        // Bits 1 and 2: backup, forced. Wake-up bit 3: the UART's RX; 5: EXTINT0.
        for value in [duration, 6, 0x28] { payload.append(value) }
        return ubx(messageClass: 0x02, messageID: 0x41, payload)
    }

    /// Where the receiver probably is (MGA-INI-POS_LLH, protocol 15 and later). Not acknowledged unless asked for.
    /// - Parameter accuracyM: 1 σ.
    public static func ubxAidPosition(_ place: Coordinate, altitudeM: Double?, accuracyM: Double) -> ReceiverCommand {
        var payload: [UInt8] = [0x01, 0, 0, 0]
        for angle in [place.latitudeE7, place.longitudeE7] { payload.append(UInt32(bitPattern: angle)) }
        let altitudeCM = Int32(max(-100_000, min(1_000_000, (altitudeM ?? 0) * 100)))
        payload.append(UInt32(bitPattern: altitudeCM))
        payload.append(UInt32(max(0, min(1e9, accuracyM * 100))))
        return ubx(messageClass: 0x13, messageID: 0x40, payload)
    }

    private static func configure(_ messageID: UInt8, _ payload: [UInt8]) -> ReceiverCommand {
        ubx(
            messageClass: 0x06, messageID: messageID, payload, answer: .ubx(messageClass: 0x06, messageID: messageID))
    }
}

extension [UInt8] {
    /// Little-endian, as all numbers of UBX.
    mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
