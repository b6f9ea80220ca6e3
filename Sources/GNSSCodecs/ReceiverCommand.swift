/// A command to a receiver: the bytes to send, and by what the receiver answers.
///
///     let command = ReceiverCommand.ubxRate(intervalMillis: 1_000)
///     link.write(command.bytes)
///     // for each output: command.judge(output)
public struct ReceiverCommand: Equatable, Sendable {
    /// What tells that the command arrived.
    public enum Answer: Equatable, Sendable {
        /// The receiver says nothing, or no longer listens at this speed.
        case none
        /// UBX-ACK-ACK or -NAK of this message.
        case ubx(messageClass: UInt8, messageID: UInt8)
        /// `PMTK001` or `PAIR001` with this number.
        case mtk(command: Int)
        /// `PQTM…` of this name.
        case quectel(command: String)
        /// Who the receiver is.
        case identity
        /// The settings of its UART.
        case port
    }

    /// Complete, with checksum and, for sentences, line end.
    public let bytes: [UInt8]
    public let answer: Answer

    /// Whether this output answers the command: `true` accepted, `false` refused, `nil` not about it.
    public func judge(_ output: GNSSOutput) -> Bool? {
        switch (answer, output) {
        case (.ubx(let messageClass, let messageID), .reply(.ubx(let isAccepted, let aboutClass, let aboutID))):
            messageClass == aboutClass && messageID == aboutID ? isAccepted : nil
        case (.mtk(let command), .reply(.mtk(let about, let isAccepted))): command == about ? isAccepted : nil
        case (.quectel(let command), .reply(.quectel(let about, let isAccepted))):
            command == about ? isAccepted : nil
        case (.identity, .identity), (.port, .reply(.port)): true
        default: nil
        }
    }

    /// How much of what it knows a receiver keeps when it starts again.
    public enum Start: Equatable, Sendable {
        /// Everything: it was off for less than two hours.
        case hot
        /// All but the ephemeris.
        case warm
        /// Nothing of position, time and orbits.
        case cold
        /// Cold, and the settings are those of the factory.
        case factory
    }

    /// The outputs a UART can send, bit by bit as UBX-CFG-PRT and `PUBX,41` count them.
    public struct Protocols: OptionSet, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        public static let ubx = Protocols(rawValue: 1 << 0)
        public static let nmea = Protocols(rawValue: 1 << 1)
        public static let rtcm2 = Protocols(rawValue: 1 << 2)
    }
}
