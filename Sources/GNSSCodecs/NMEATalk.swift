import TrackerModel

/// What a receiver says besides positions: who it is, how its antenna is, and answers to commands.
struct NMEATalk {
    private static let longestText = 116
    private var identity = ReceiverIdentity(family: .generic)
    /// Of the last TXT that was passed on: some receivers repeat one every second.
    private var lastText: [UInt8] = []

    init() { lastText.reserveCapacity(Self.longestText) }

    /// Takes a sentence of kind `txt` or `answer`.
    ///
    /// Memory is allocated only where text is given out: names of at most 15 characters need none.
    mutating func take(_ kind: NMEASentence.Kind, _ sentence: SentenceText, _ emit: (GNSSOutput) -> Void) {
        let (body, fields) = (sentence.body, sentence.fields)
        if kind == .txt { return takeText(body, emit) }
        let name = String(decoding: body.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
        lazy var words = String(decoding: body, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
        switch name {
        case "PMTK001", "PAIR001": acknowledge(isPair: name == "PAIR001", fields, emit)
        case "PMTK705" where words.count >= 4:
            identify(.mtk, model: words[3], firmware: words[1], emit)
        // The firmware of MTK modules of Quectel, which take PMTK commands.
        case "PQVERNO" where words.count >= 3: identify(.mtk, model: nil, firmware: words[2], emit)
        case "PAIR020", "PAIR021": identify(.quectel, model: nil, firmware: words.count > 1 ? words[1] : "", emit)
        case "PQTMVERNO" where words.count >= 3 && words[1] != "ERROR":
            identify(.quectel, model: nil, firmware: words[1], emit)
        case "PQTMVER" where words.count >= 4 && words[2] == "MODULE":
            identify(.quectel, model: nil, firmware: words[3], emit)
        case _ where name.hasPrefix("PQTM"):
            if let isAccepted = Self.isAccepted(fields) {
                emit(.reply(.quectel(command: name, isAccepted: isAccepted)))
            }
        case _ where name.hasPrefix("PMTK01"): emit(.notice(String(decoding: body, as: UTF8.self)))
        default: break
        }
    }

    /// `PMTK001,314,3` and `PAIR001,062,0`: PMTK counts 3 as done; PAIR counts 0, and 1 is an answer that is still to
    /// come (Quectel L76 and LC29H protocol specifications).
    private func acknowledge(isPair: Bool, _ fields: NMEAFields, _ emit: (GNSSOutput) -> Void) {
        var fields = fields
        guard let command = try? fields.next().integer(), let result = try? fields.next().integer() else { return }
        if isPair, result == 1 { return }
        emit(.reply(.mtk(command: command, isAccepted: result == (isPair ? 0 : 3))))
    }

    /// `PQTM…,OK` and `PQTM…,ERROR,1`; `nil` for others.
    private static func isAccepted(_ fields: NMEAFields) -> Bool? {
        var fields = fields
        let result = fields.next().bytes
        return result.elementsEqual("OK".utf8) ? true : result.elementsEqual("ERROR".utf8) ? false : nil
    }

    private mutating func identify(
        _ family: ReceiverFamily, model: Substring?, firmware: Substring, _ emit: (GNSSOutput) -> Void
    ) {
        guard !firmware.isEmpty else { return }
        if identity.family != family { identity = ReceiverIdentity(family: family) }
        if let model, !model.isEmpty { identity.model = String(model) }
        identity.firmware = String(firmware)
        emit(.identity(identity))
    }

    private mutating func takeText(_ body: UnsafeBufferPointer<UInt8>, _ emit: (GNSSOutput) -> Void) {
        // Address, number of sentences, number of this one, severity; the text may have commas of its own.
        var (at, commas) = (0, 0)
        while at < body.count, commas < 4 {
            if body[at] == UInt8(ascii: ",") { commas += 1 }
            at += 1
        }
        let bytes = UnsafeBufferPointer(rebasing: body[at...])
        guard commas == 4, !bytes.isEmpty, !lastText.elementsEqual(bytes) else { return }
        lastText.removeAll(keepingCapacity: true)
        lastText.append(contentsOf: bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        if let antenna = AntennaState(text: text) {
            emit(.health(ReceiverHealth(antenna: antenna)))
        } else if identity.learn(fromUblox: text) {
            emit(.identity(identity))
        }
        emit(.notice(text))
    }
}

extension AntennaState {
    /// `ANTSTATUS=OK` of u-blox, `ANTENNA OPEN` of Mediatek and its relatives.
    fileprivate init?(text: String) {
        let state: Substring
        if text.hasPrefix("ANTSTATUS=") {
            state = text.dropFirst(10)
        } else if text.hasPrefix("ANTENNA ") {
            state = text.dropFirst(8)
        } else {
            return nil
        }
        switch state {
        case "OK": self = .ok
        case "OPEN": self = .open
        case "SHORT": self = .short
        case "OFF": self = .off
        default: return nil
        }
    }
}

extension ReceiverIdentity {
    /// The start-up text of u-blox receivers, one fact a line: generation 5 to 7 with blanks, 8 and later with `=`.
    /// - Returns: false when the line has none.
    fileprivate mutating func learn(fromUblox text: String) -> Bool {
        let marks: [(String, WritableKeyPath<ReceiverIdentity, String?>)] = [
            ("MOD=", \.model), ("MOD ", \.model), ("FWVER=", \.firmware), ("EXT CORE ", \.firmware),
            ("ROM CORE ", \.firmware),
        ]
        if text.hasPrefix("u-blox ") || text.hasPrefix("HW UBX-") || text.hasPrefix("HW  UBX-") {
            guard family != .ublox else { return false }
            self = ReceiverIdentity(family: .ublox)
            return true
        }
        if text.hasPrefix("PROTVER") {
            let parts = text.dropFirst(8).split(separator: ".")
            guard let major = parts.first.flatMap({ Int($0) }) else { return false }
            family = .ublox
            protocolVersion = major * 100 + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
            return true
        }
        for (mark, field) in marks where text.hasPrefix(mark) {
            // The line of the ROM comes with and without a line of newer firmware that runs in its place.
            if mark == "ROM CORE ", self[keyPath: field] != nil { return false }
            family = .ublox
            self[keyPath: field] = String(text.dropFirst(mark.utf8.count))
            return true
        }
        return false
    }
}
