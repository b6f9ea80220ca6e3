// Proprietary sentences to the receiver: PUBX of u-blox, PMTK of MediaTek, PAIR of Airoha, PQTM of Quectel.
extension ReceiverCommand {
    /// A sentence around this body, which has no `$` and no `*`.
    public static func sentence(_ body: String, answer: Answer = .none) -> ReceiverCommand {
        let digits = Array("0123456789ABCDEF".utf8)
        let sum = body.utf8.reduce(0, ^)
        let end = [digits[Int(sum >> 4)], digits[Int(sum & 15)], UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        return ReceiverCommand(
            bytes: [UInt8(ascii: "$")] + Array(body.utf8) + [UInt8(ascii: "*")] + end, answer: answer)
    }

    /// `PUBX,41`: sets UART 1 of a u-blox receiver, whatever protocol it listens to, to this speed and these protocols.
    public static func pubxPort(baud: Int, input: Protocols, output: Protocols) -> ReceiverCommand {
        sentence("PUBX,41,1,\(hex(input.rawValue)),\(hex(output.rawValue)),\(baud),0")
    }

    private static func hex(_ value: UInt16) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    // MediaTek (PMTK command packets).

    /// `PMTK605`: asks for the firmware's name; the answer is `PMTK705`.
    public static let mtkPollVersion = sentence("PMTK605", answer: .identity)

    /// `PMTK220`: time between solutions, 100…10 000 ms.
    public static func mtkRate(intervalMillis: Int) -> ReceiverCommand {
        sentence("PMTK220,\(intervalMillis)", answer: .mtk(command: 220))
    }

    /// `PMTK251`: the speed, in force at once, without an answer.
    public static func mtkBaud(_ baud: Int) -> ReceiverCommand { sentence("PMTK251,\(baud)") }

    /// `PMTK314`: these sentences in every solution, those in every fifth, and no others.
    public static func mtkSentences(_ kinds: Set<Sentence>, every5: Set<Sentence> = []) -> ReceiverCommand {
        // 19 places; the ones not named are reserved.
        let places: [Sentence?] =
            [.gll, .rmc, .vtg, .gga, .gsa, .gsv, nil, .gst] + Array(repeating: nil, count: 9) + [.zda, nil]
        let rates = places.map { place in
            place.map { every5.contains($0) ? "5" : kinds.contains($0) ? "1" : "0" } ?? "0"
        }
        return sentence("PMTK314," + rates.joined(separator: ","), answer: .mtk(command: 314))
    }

    /// `PMTK101` to `PMTK104`. The receiver starts instead of answering.
    public static func mtkReset(_ start: Start) -> ReceiverCommand {
        switch start {
        case .hot: sentence("PMTK101")
        case .warm: sentence("PMTK102")
        case .cold: sentence("PMTK103")
        case .factory: sentence("PMTK104")
        }
    }

    /// `PMTK161`: sleeps until a byte arrives.
    public static let mtkStandby = sentence("PMTK161,0", answer: .mtk(command: 161))

    /// A kind of sentence that can be switched.
    public enum Sentence: Hashable, Sendable, CaseIterable {
        case rmc, gga, gsa, gsv, gll, vtg, gst, zda
    }

    // Airoha, in Quectel's newer modules.

    /// `PAIR050`: time between solutions, 100…1 000 ms.
    public static func pairRate(intervalMillis: Int) -> ReceiverCommand {
        sentence("PAIR050,\(intervalMillis)", answer: .mtk(command: 50))
    }

    /// `PAIR062`: one kind of sentence every `rate`-th solution, 0 never.
    public static func pairSentence(_ kind: Sentence, rate: Int) -> ReceiverCommand {
        let number =
            switch kind {
            case .gga: 0
            case .gll: 1
            case .gsa: 2
            case .gsv: 3
            case .rmc: 4
            case .vtg: 5
            case .zda: 6
            case .gst: 8
            }
        return sentence("PAIR062,\(number),\(rate)", answer: .mtk(command: 62))
    }

    /// `PAIR864`: the speed of UART 0, in force after the next restart.
    public static func pairBaud(_ baud: Int) -> ReceiverCommand {
        sentence("PAIR864,0,0,\(baud)", answer: .mtk(command: 864))
    }

    /// `PAIR002`: starts positioning again after `pairStop`, with all that it knew.
    public static let pairStart = sentence("PAIR002", answer: .mtk(command: 2))

    /// `PAIR003`: stops positioning, radio and signal processor are off. The module hears and answers on, as long as its
    /// processor may not sleep.
    public static let pairStop = sentence("PAIR003", answer: .mtk(command: 3))

    /// `PAIR382`: its processor does not sleep by itself, and so hears, until the next restart.
    public static let pairLockSleep = sentence("PAIR382,1", answer: .mtk(command: 382))

    /// `PAIR004` to `PAIR007`.
    public static func pairReset(_ start: Start) -> ReceiverCommand {
        switch start {
        case .hot: sentence("PAIR004", answer: .mtk(command: 4))
        case .warm: sentence("PAIR005", answer: .mtk(command: 5))
        case .cold: sentence("PAIR006", answer: .mtk(command: 6))
        case .factory: sentence("PAIR007", answer: .mtk(command: 7))
        }
    }

    // Quectel.

    /// `PQTMVERNO`: asks for the firmware's name.
    public static let quectelPollVersion = sentence("PQTMVERNO", answer: .identity)

    /// `PQTMCFGMSGRATE`: a sentence by its three letters every `rate`-th solution, 0 never; for GST, which `PAIR062`
    /// does not switch on every module.
    public static func quectelMessageRate(_ name: String, rate: Int) -> ReceiverCommand {
        sentence("PQTMCFGMSGRATE,W,\(name),\(rate)", answer: .quectel(command: "PQTMCFGMSGRATE"))
    }
}
