extension SimulatedReceiver {
    /// UBX-CFG-VALSET: all values or none; layers 1 RAM, 2 battery-backed, 4 flash.
    mutating func setValues(_ payload: PayloadReader) -> Bool {
        guard let layers = payload.u1(1), layers & 7 != 0, let pairs = Self.pairs(payload) else { return false }
        var changed = configuration
        for (key, value) in pairs {
            guard Self.set(key, value, of: &changed, family: options.family) else { return false }
        }
        if layers & 2 != 0 { memory.backup = stored(pairs, over: memory.backup) }
        if layers & 4 != 0 { memory.flash = stored(pairs, over: memory.flash) }
        if layers & 1 != 0 {
            let period = changed.periodMillis
            changed.periodMillis = configuration.periodMillis
            configuration = changed
            setPeriod(period)
        }
        return true
    }

    /// UBX-CFG-VALGET: layer 0 RAM, 1 battery-backed, 2 flash, 7 factory; keys one by one, no wildcards.
    mutating func tellValues(_ payload: PayloadReader) -> Bool {
        guard let layer = payload.u1(1), payload.bytes.count > 4, payload.bytes.count % 4 == 0 else { return false }
        let source: ReceiverConfiguration? =
            switch layer {
            case 0: configuration
            case 1: memory.backup
            case 2: memory.flash
            case 7: factory
            default: nil
            }
        guard let source else { return false }
        var out = PayloadWriter()
        for value in [1, layer, 0, 0] { out.u1(value) }
        for offset in stride(from: 4, to: payload.bytes.count, by: 4) {
            guard let key = payload.unsigned(at: offset, 4).map({ UInt32($0) }), let width = Self.width(key),
                let value = Self.value(key, of: source, family: options.family)
            else { return false }
            out.u4(Int(key))
            for index in 0..<width { out.u1(Int(value >> UInt64(8 * index) & 0xFF)) }
        }
        say(UBXFrame.bytes(0x068B, out.bytes))
        return true
    }

    private func stored(_ pairs: [(key: UInt32, value: UInt64)], over old: ReceiverConfiguration?)
        -> ReceiverConfiguration
    {
        var copy = old ?? memory.loaded(orFactory: factory)
        for (key, value) in pairs { _ = Self.set(key, value, of: &copy, family: options.family) }
        return copy
    }

    /// Keys and values behind the four bytes of the head; `nil` when they do not come out even.
    private static func pairs(_ payload: PayloadReader) -> [(key: UInt32, value: UInt64)]? {
        var pairs: [(key: UInt32, value: UInt64)] = []
        var at = 4
        while at < payload.bytes.count {
            guard let key = payload.unsigned(at: at, 4).map({ UInt32($0) }), let width = width(key),
                let value = payload.unsigned(at: at + 4, width)
            else { return nil }
            pairs.append((key, value))
            at += 4 + width
        }
        return pairs.isEmpty ? nil : pairs
    }

    /// Bytes of a value: bits 30…28 of its key.
    private static func width(_ key: UInt32) -> Int? {
        switch key >> 28 & 7 {
        case 1, 2: 1
        case 3: 2
        case 4: 4
        case 5: 8
        default: nil
        }
    }

    private static func set(
        _ key: UInt32, _ value: UInt64, of configuration: inout ReceiverConfiguration, family: SimulatedFamily
    ) -> Bool {
        switch key {
        case 0x4052_0001:
            guard rates.contains(Int(value)) else { return false }
            configuration.baud = Int(value)
        case 0x3021_0001:
            guard (100...10_000).contains(value) else { return false }
            configuration.periodMillis = Int(value)
        case 0x1073_0001: configuration.hearsUBX = value != 0
        case 0x1073_0002: configuration.hearsNMEA = value != 0
        case 0x1074_0001: configuration.sendsUBX = value != 0
        case 0x1074_0002: configuration.sendsNMEA = value != 0
        default:
            if let message = message(key, family) {
                configuration.set(message, rate: Int(value))
            } else if quietGroups.contains(UInt8(key >> 16 & 0xFF)) {
                configuration.others[key] = value
            } else {
                return false
            }
        }
        return true
    }

    private static func value(_ key: UInt32, of configuration: ReceiverConfiguration, family: SimulatedFamily)
        -> UInt64?
    {
        switch key {
        case 0x4052_0001: UInt64(configuration.baud)
        case 0x3021_0001: UInt64(configuration.periodMillis)
        case 0x1073_0001: configuration.hearsUBX ? 1 : 0
        case 0x1073_0002: configuration.hearsNMEA ? 1 : 0
        case 0x1074_0001: configuration.sendsUBX ? 1 : 0
        case 0x1074_0002: configuration.sendsNMEA ? 1 : 0
        default:
            if let message = message(key, family) {
                UInt64(configuration.rate(of: message))
            } else {
                quietGroups.contains(UInt8(key >> 16 & 0xFF)) ? configuration.others[key] ?? 0 : nil
            }
        }
    }

    private static func message(_ key: UInt32, _ family: SimulatedFamily) -> ReceiverMessage? {
        ReceiverMessage.allCases.first { $0.valueKey == key && $0.exists(in: family) }
    }

    /// Groups whose values are kept without effect: navigation, rate, signals, interference, information, NMEA, power,
    /// hardware.
    private static let quietGroups: Set<UInt8> = [0x11, 0x21, 0x31, 0x41, 0x92, 0x93, 0xA3, 0xD0]
}
