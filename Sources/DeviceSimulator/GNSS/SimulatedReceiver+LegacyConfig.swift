extension SimulatedReceiver {
    /// UBX-CFG-PRT, asked or told; the port of the model is UART1, number 1.
    mutating func configurePort(_ payload: PayloadReader) {
        let id: UInt16 = 0x0600
        let isQuestion = payload.bytes.count <= 1
        let port = payload.u1(0) ?? 1
        guard !isQuestion else {
            if port == 1 { say(UBXFrame.bytes(id, portSettings)) }
            return acknowledge(id, port <= 4)
        }
        guard payload.bytes.count == 20, let baud = payload.u4(8), let hears = payload.u2(12),
            let sends = payload.u2(14)
        else { return acknowledge(id, false) }
        guard port == 1 else { return acknowledge(id, port <= 4) }
        guard Self.rates.contains(baud) else { return acknowledge(id, false) }
        acknowledge(id, true)
        configuration.hearsUBX = hears & 1 != 0
        configuration.hearsNMEA = hears & 2 != 0
        configuration.sendsUBX = sends & 1 != 0
        configuration.sendsNMEA = sends & 2 != 0
        configuration.baud = baud
    }

    private var portSettings: [UInt8] {
        var out = PayloadWriter()
        out.u1(1)
        out.u1(0)
        out.u2(0)
        // 8 data bits, no parity, one stop bit.
        out.u4(0x08D0)
        out.u4(configuration.baud)
        out.u2((configuration.hearsUBX ? 1 : 0) | (configuration.hearsNMEA ? 2 : 0))
        out.u2((configuration.sendsUBX ? 1 : 0) | (configuration.sendsNMEA ? 2 : 0))
        out.zeros(4)
        return out.bytes
    }

    /// UBX-CFG-MSG: two bytes ask, three tell this port, eight tell all ports.
    mutating func configureMessage(_ payload: PayloadReader) {
        let id: UInt16 = 0x0601
        guard let kind = payload.u1(0), let number = payload.u1(1),
            let message = ReceiverMessage.of(ubxID: UInt16(kind) << 8 | UInt16(number), family: options.family)
        else { return acknowledge(id, false) }
        switch payload.bytes.count {
        case 2:
            var out = PayloadWriter()
            for value in [kind, number, 0, configuration.rate(of: message), 0, 0, 0, 0] { out.u1(value) }
            say(UBXFrame.bytes(id, out.bytes))
        case 3: configuration.set(message, rate: payload.u1(2) ?? 0)
        case 8: configuration.set(message, rate: payload.u1(3) ?? 0)
        default: return acknowledge(id, false)
        }
        acknowledge(id, true)
    }

    /// UBX-CFG-RATE: measurements between 100 ms (u-blox 6: 200 ms) and 10 s.
    mutating func configureRate(_ payload: PayloadReader) {
        let id: UInt16 = 0x0608
        if payload.bytes.isEmpty {
            var out = PayloadWriter()
            for value in [configuration.periodMillis, 1, 0] { out.u2(value) }
            say(UBXFrame.bytes(id, out.bytes))
            return acknowledge(id, true)
        }
        let fastest = options.family == .ublox6 ? 200 : 100
        guard payload.bytes.count == 6, let millis = payload.u2(0), let cycles = payload.u2(2), cycles > 0,
            (fastest...10_000).contains(millis * cycles)
        else { return acknowledge(id, false) }
        setPeriod(millis * cycles)
        acknowledge(id, true)
    }

    /// `$PUBX,40` sets the rate of a sentence, `$PUBX,41` the port, `$PUBX,00` and `04` ask; no answer but the last.
    mutating func obeyPUBX(_ fields: [String]) {
        guard fields.count >= 2, fields[0] == "PUBX" else { return }
        commandCount += 1
        switch fields[1] {
        case "40" where fields.count >= 5:
            guard let message = ReceiverMessage(rawValue: fields[2]), message.exists(in: options.family),
                let rate = Int(fields[4])
            else { return }
            configuration.set(message, rate: rate)
        case "41" where fields.count >= 6:
            guard fields[2] == "1", let hears = Int(fields[3], radix: 16), let sends = Int(fields[4], radix: 16),
                let baud = Int(fields[5]), Self.rates.contains(baud)
            else { return }
            configuration.hearsUBX = hears & 1 != 0
            configuration.hearsNMEA = hears & 2 != 0
            configuration.sendsUBX = sends & 1 != 0
            configuration.sendsNMEA = sends & 2 != 0
            configuration.baud = baud
        default: break
        }
    }

    // MARK: Shared by all command languages

    /// What a UART of these receivers can be set to.
    static let rates: Set<Int> = [4_800, 9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]

    mutating func setPeriod(_ millis: Int) {
        guard millis != configuration.periodMillis else { return }
        configuration.periodMillis = millis
        scheduleEpoch(after: now)
    }
}
