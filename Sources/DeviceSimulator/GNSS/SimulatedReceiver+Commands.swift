import TrackerModel

extension SimulatedReceiver {
    mutating func obey(_ command: CommandFramer.Command) {
        switch (command, options.family) {
        case (.ubx(let id, let payload), .ublox6), (.ubx(let id, let payload), .ublox8),
            (.ubx(let id, let payload), .ublox10):
            if configuration.hearsUBX { obeyUBX(id, PayloadReader(bytes: payload)) }
        case (.sentence(let fields), .ublox6), (.sentence(let fields), .ublox8), (.sentence(let fields), .ublox10):
            if configuration.hearsNMEA { obeyPUBX(fields) }
        case (.sentence(let fields), .mtk): obeyPMTK(fields)
        case (.sentence(let fields), .quectel): obeyQuectel(fields)
        case (.ubx, .mtk), (.ubx, .quectel), (_, .generic): break
        }
        // The old rate holds for everything said before, the answer included.
        if configuration.baud != line.comingBaud { line.changeRate(configuration.baud) }
    }

    private mutating func obeyUBX(_ id: UInt16, _ payload: PayloadReader) {
        commandCount += 1
        let isValueBased = options.family == .ublox10
        switch id {
        case 0x0A04: say(UBXFrame.bytes(id, version))
        case 0x0604: restart(payload)
        case 0x0609: acknowledge(id, store(payload))
        case 0x0241: sleep(payload)
        case 0x068A where isValueBased: acknowledge(id, setValues(payload))
        case 0x068B where isValueBased: acknowledge(id, tellValues(payload))
        case 0x0600 where !isValueBased: configurePort(payload)
        case 0x0601 where !isValueBased: configureMessage(payload)
        case 0x0608 where !isValueBased: configureRate(payload)
        case 0x0686 where options.family == .ublox8:
            let isWhole = payload.bytes.count == 8
            if isWhole { configuration.others[ReceiverConfiguration.powerSetup] = payload.u1(1).map(UInt64.init) }
            acknowledge(id, isWhole)
        case _ where id >> 8 == 0x06: acknowledge(id, !isValueBased && Self.quietSettings.contains(id))
        default:
            // An empty output message asks for it once.
            if payload.bytes.isEmpty, let message = ReceiverMessage.of(ubxID: id, family: options.family) {
                say(polled(message))
            }
        }
    }

    /// Settings that are acknowledged and change nothing the model sends: INF, RXM, ANT, SBAS, NMEA, NAVX5, NAV5, ITFM,
    /// PM2, GNSS, TP5, RINV.
    private static let quietSettings: Set<UInt16> = [
        0x0602, 0x0611, 0x0613, 0x0616, 0x0617, 0x0623, 0x0624, 0x0639, 0x063B, 0x063E, 0x0631, 0x0634,
    ]

    /// UBX-ACK-ACK or UBX-ACK-NAK.
    mutating func acknowledge(_ id: UInt16, _ isDone: Bool) {
        say(UBXFrame.bytes(isDone ? 0x0501 : 0x0500, [UInt8(id >> 8), UInt8(id & 0xFF)]))
    }

    private mutating func polled(_ message: ReceiverMessage) -> [UInt8] {
        // A copy: an answer between epochs must not move the search on.
        var copy = self
        let solution = copy.solve(at: now)
        let satellites = sky.satellites(at: now, used: solution.satellitesUsed, isDark: isDark(at: now))
        if message.isUBX { return ubxOutput(solution, satellites).bytes(message) }
        let output = NMEAOutput(style: options.family.nmeaStyle, solution: solution, satellites: satellites)
        return Array(output.text(message).utf8)
    }

    /// UBX-MON-VER: software, hardware, and what else fits the family.
    private var version: [UInt8] {
        let (software, extensions): (String, [String]) =
            switch options.family {
            case .ublox6: ("7.03 (45969)", [])
            case .ublox8:
                (
                    "EXT CORE 3.01 (107888)",
                    ["ROM BASE 2.01 (75331)", "FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"]
                )
            default:
                ("ROM SPG 5.10 (7b202e)", ["FWVER=SPG 5.10", "PROTVER=34.10", "GPS;GLO;GAL;BDS", "SBAS;QZSS"])
            }
        var out = PayloadWriter()
        out.text(software, width: 30)
        out.text(hardware, width: 10)
        for text in extensions { out.text(text, width: 30) }
        return out.bytes
    }

    /// UBX-CFG-RST; never acknowledged.
    private mutating func restart(_ payload: PayloadReader) {
        guard let cleared = payload.u2(0), let mode = payload.u1(2) else { return }
        // Ephemeris alone is a warm start, anything more a cold one.
        let start: ReceiverStart = cleared == 0 ? .hot : cleared == 1 ? .warm : .cold
        switch mode {
        case 0, 1, 4: reboot(start, with: memory.loaded(orFactory: factory))
        case 2, 9:
            isNavigating = true
            restartSearch(start)
        case 8: isNavigating = false
        default: break
        }
    }

    /// UBX-CFG-CFG: clear, save, load; any bit of a mask means everything.
    private mutating func store(_ payload: PayloadReader) -> Bool {
        guard let clear = payload.u4(0), let save = payload.u4(4), let load = payload.u4(8) else { return false }
        let devices = payload.u1(12) ?? 3
        if clear != 0 {
            if devices & 1 != 0 { memory.backup = nil }
            if devices & 2 != 0 { memory.flash = nil }
        }
        if save != 0 {
            if devices & 1 != 0 { memory.backup = configuration }
            if devices & 2 != 0 { memory.flash = configuration }
        }
        if load != 0 {
            configuration = memory.loaded(orFactory: factory)
            scheduleEpoch(after: now)
        }
        return true
    }

    /// UBX-RXM-PMREQ: backup for a duration, 0 for ever; short and long form.
    private mutating func sleep(_ payload: PayloadReader) {
        let start = payload.bytes.count == 16 ? 4 : 0
        guard let millis = payload.u4(start), let flags = payload.u4(start + 4), flags & 2 != 0 else { return }
        sleep(until: millis == 0 ? .never : now.advanced(byMillis: Int64(millis)))
    }
}
