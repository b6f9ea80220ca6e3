import GNSSCodecs

/// Requests as commands of a dialect, and the answers that belong to them.
extension ReceiverRequest {
    /// The bytes to send; empty where the dialect has no such command.
    func bytes(in dialect: ReceiverDialect) -> [UInt8] { commands(in: dialect).flatMap(\.bytes) }

    func exists(in dialect: ReceiverDialect) -> Bool { !commands(in: dialect).isEmpty }

    /// Whether a reply says that this request was done; `nil` when it belongs to another one.
    func verdict(of reply: ReceiverReply, in dialect: ReceiverDialect) -> Bool? {
        commands(in: dialect).lazy.compactMap { $0.judge(.reply(reply)) }.first
    }

    private func commands(in dialect: ReceiverDialect) -> [ReceiverCommand] {
        switch (self, dialect) {
        // Who does not know one of these drops it as a bad or foreign frame.
        case (.identity, _): [.ubxPollVersion, .mtkPollVersion, .quectelPollVersion]
        case (.port(let baud), .ubx): [.ubxPort(baud: baud, input: [.ubx, .nmea, .rtcm2], output: [.ubx, .nmea])]
        case (.port(let baud), .ubxValset): [.ubxSet([(.uart1Baud, UInt64(baud))])]
        // Answered at the old speed by some firmwares and not at all by others: the answer is awaited all the same.
        case (.port(let baud), .pmtk): [.sentence("PMTK251,\(baud)", answer: .mtk(command: 251))]
        case (.port(let baud), .pair): [.pairBaud(baud)]
        case (.rate(let hz), .ubx): [.ubxRate(intervalMillis: 1_000 / hz)]
        case (.rate(let hz), .ubxValset): [.ubxSet([(.measurementInterval, UInt64(1_000 / hz))])]
        case (.rate(let hz), .pmtk): [.mtkRate(intervalMillis: 1_000 / hz)]
        case (.rate(let hz), .pair): [.pairRate(intervalMillis: 1_000 / hz)]
        case (.message(let message, let every), .ubx):
            [
                .ubxMessageRate(
                    messageClass: message.ubxNumber.messageClass, messageID: message.ubxNumber.messageID,
                    rate: UInt8(clamping: every))
            ]
        case (.message(let message, let every), .ubxValset): [.ubxSet([(message.key, UInt64(clamping: every))])]
        case (.message(let message, let every), .pair):
            message.sentence.map { [.pairSentence($0, rate: every)] } ?? []
        case (.sentences, .pmtk): [.mtkSentences([.rmc, .gga, .gsa, .gst], every5: [.gsv])]
        case (.cyclic(let isOn), .ubx): [.ubxPowerSetup(isCyclic: isOn)]
        case (.cyclic(let isOn), .ubxValset):
            // Never off, and no longer without a break than it takes to start: the search is ours to end.
            isOn
                ? [.ubxSet([(.powerStaysOn, 1), (.powerOnTime, 0), (.powerMode, 2)])] : [.ubxSet([(.powerMode, 0)])]
        case (.cyclic, .pmtk), (.cyclic, .pair): []
        case (.message, .pmtk), (.sentences, .ubx), (.sentences, .ubxValset), (.sentences, .pair): []
        }
    }
}

extension ReceiverMessage {
    /// Class and id of UBX-CFG-MSG.
    fileprivate var ubxNumber: (messageClass: UInt8, messageID: UInt8) {
        switch self {
        case .gga: (0xF0, 0x00)
        case .gll: (0xF0, 0x01)
        case .gsa: (0xF0, 0x02)
        case .gsv: (0xF0, 0x03)
        case .rmc: (0xF0, 0x04)
        case .vtg: (0xF0, 0x05)
        case .gst: (0xF0, 0x07)
        case .navPVT: (0x01, 0x07)
        case .navStatus: (0x01, 0x03)
        case .monitor: (0x0A, 0x09)
        }
    }

    fileprivate var key: UBXKey {
        switch self {
        case .gga: .uart1GGA
        case .gll: .uart1GLL
        case .gsa: .uart1GSA
        case .gst: .uart1GST
        case .gsv: .uart1GSV
        case .rmc: .uart1RMC
        case .vtg: .uart1VTG
        case .navPVT: .uart1NavPVT
        case .navStatus: .uart1NavSTATUS
        case .monitor: .uart1MonRF
        }
    }

    fileprivate var sentence: ReceiverCommand.Sentence? {
        switch self {
        case .gga: .gga
        case .gll: .gll
        case .gsa: .gsa
        case .gst: .gst
        case .gsv: .gsv
        case .rmc: .rmc
        case .vtg: .vtg
        case .navPVT, .navStatus, .monitor: nil
        }
    }
}
