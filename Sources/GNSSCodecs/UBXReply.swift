/// Answers of a u-blox receiver to commands.
enum UBXReply {
    static func acknowledgement(_ payload: UnsafeRawBufferPointer, isAccepted: Bool) -> ReceiverReply? {
        guard payload.count == 2 else { return nil }
        return .ubx(isAccepted: isAccepted, messageClass: payload.u1(0), messageID: payload.u1(1))
    }

    /// CFG-PRT of a UART (1 or 2); the other ports have no speed.
    static func port(ofPRT payload: UnsafeRawBufferPointer) -> ReceiverReply? {
        guard payload.count == 20, (1...2).contains(payload.u1(0)) else { return nil }
        return .port(baud: Int(payload.u4(8)), outputProtocols: Int(payload.u2(14)))
    }

    /// CFG-VALGET with the speed of UART 1 among its values.
    static func port(ofVALGET payload: UnsafeRawBufferPointer) -> ReceiverReply? {
        guard payload.count >= 4, payload.u1(0) == 1 else { return nil }
        var (baud, protocols): (Int?, Int) = (nil, 0)
        var offset = 4
        while offset + 4 <= payload.count {
            let key = UBXKey(id: payload.u4(offset))
            offset += 4
            guard let length = key.valueLength, offset + length <= payload.count else { return nil }
            switch key {
            case .uart1Baud: baud = Int(payload.u4(offset))
            case .uart1OutputUBX where payload.u1(offset) != 0: protocols |= 1
            case .uart1OutputNMEA where payload.u1(offset) != 0: protocols |= 2
            default: break
            }
            offset += length
        }
        return baud.map { .port(baud: $0, outputProtocols: protocols) }
    }
}
