import TrackerModel

/// The modems of ModemManager by their object paths, as its messages tell of them.
struct ModemManagerObjects: Equatable {
    struct Modem: Equatable {
        var state = ManagedModem()
        /// Names of its ports: `wwan0`, `cdc-wdm0`.
        var ports: [String] = []
        /// Object paths of its data connections.
        var bearers: [String] = []
    }

    static let modemInterface = "org.freedesktop.ModemManager1.Modem"
    static let networkInterface = modemInterface + ".Modem3gpp"

    private(set) var modems: [String: Modem] = [:]

    /// The answer to `GetManagedObjects`, `a{oa{sa{sv}}}`.
    mutating func takeAll(_ message: BusMessage) throws(BusMessage.NoSuchValue) {
        modems = [:]
        try message.each("{oa{sa{sv}}}") { () throws(BusMessage.NoSuchValue) in
            guard try message.enter(.entry, "oa{sa{sv}}") else { throw BusMessage.NoSuchValue() }
            try takeInterfaces(message)
            try message.exit()
        }
    }

    /// `InterfacesAdded`, `oa{sa{sv}}`.
    mutating func takeInterfaces(_ message: BusMessage) throws(BusMessage.NoSuchValue) {
        let path = try message.text(.path)
        try message.each("{sa{sv}}") { () throws(BusMessage.NoSuchValue) in
            guard try message.enter(.entry, "sa{sv}") else { throw BusMessage.NoSuchValue() }
            try takeProperties(message, of: path, areNew: true)
            try message.exit()
        }
    }

    /// Begins like `PropertiesChanged`: `sa{sv}`.
    /// - Parameter areNew: else a modem that is not known stays unknown.
    mutating func takeProperties(
        _ message: BusMessage, of path: String, areNew: Bool = false
    ) throws(BusMessage.NoSuchValue) {
        let interface = try message.text()
        let isModem = interface == Self.modemInterface
        guard isModem || interface == Self.networkInterface, areNew || modems[path] != nil else {
            return try message.skip("a{sv}")
        }
        // The interfaces of an object come in any order.
        var modem = modems[path] ?? Modem()
        try message.eachProperty { name, type throws(BusMessage.NoSuchValue) in
            isModem
                ? try modem.takeOwn(name, type, message) : try modem.takeNetwork(name, type, message)
        }
        modems[path] = modem
    }

    /// `InterfacesRemoved`, `oas`.
    mutating func takeRemoval(_ message: BusMessage) throws(BusMessage.NoSuchValue) {
        let path = try message.text(.path)
        try message.each("s") { () throws(BusMessage.NoSuchValue) in
            switch try message.text() {
            case Self.modemInterface: modems[path] = nil
            case Self.networkInterface: modems[path]?.forgetNetwork()
            default: break
            }
        }
    }

    /// The one with this port; the only one, also when it has no such port, as that of a PPP connection is not its own.
    /// - Returns: `nil` where there is none, or several and none of them has it.
    func path(serving interface: String) -> String? {
        modems.keys.sorted().first { modems[$0]?.ports.contains(interface) == true }
            ?? (modems.count == 1 ? modems.keys.first : nil)
    }
}

extension ModemManagerObjects.Modem {
    fileprivate mutating func takeOwn(
        _ name: String, _ type: String, _ message: BusMessage
    ) throws(BusMessage.NoSuchValue) -> Bool {
        switch (name, type) {
        case ("State", "i"): state.state = try message.int32()
        case ("StateFailedReason", "u"): state.failedReason = try message.uint32()
        case ("UnlockRequired", "u"): state.lock = try message.uint32()
        case ("AccessTechnologies", "u"): state.technologies = try message.uint32()
        case ("SignalQuality", "(ub)"):
            guard try message.enter(.structure, "ub") else { return false }
            state.quality = try message.uint32()
            // Whether it was measured just now.
            _ = try message.bool()
            try message.exit()
        case ("Ports", "a(su)"):
            ports = []
            try message.each("(su)") { () throws(BusMessage.NoSuchValue) in
                guard try message.enter(.structure, "su") else { throw BusMessage.NoSuchValue() }
                ports.append(try message.text())
                _ = try message.uint32()
                try message.exit()
            }
        case ("Bearers", "ao"):
            bearers = []
            try message.each("o") { () throws(BusMessage.NoSuchValue) in bearers.append(try message.text(.path)) }
        default: return false
        }
        return true
    }

    fileprivate mutating func takeNetwork(
        _ name: String, _ type: String, _ message: BusMessage
    ) throws(BusMessage.NoSuchValue) -> Bool {
        switch (name, type) {
        case ("RegistrationState", "u"): state.registration = try message.uint32()
        case ("OperatorName", "s"): state.network = String(try message.text().prefix(64))
        default: return false
        }
        return true
    }

    fileprivate mutating func forgetNetwork() {
        state.registration = nil
        state.network = ""
    }
}
