public import TrackerModel

/// A cellular modem on its command port: boots, finds its SIM and a network, answers AT commands, and fails as it is told.
public struct SimulatedModem {
    public enum Fault: String, CaseIterable, Sendable {
        case simAbsent = "sim-absent"
        case simLocked = "sim-locked"
        case denied
        case noCoverage = "no-coverage"
        /// Hears everything and answers nothing.
        case hang
        /// Answers 1.5 s late.
        case slow
        /// Registered, and no packets: the host loses its route.
        case bearerLost = "bearer-lost"
        /// Knows no LTE: refuses `AT+CEREG?`.
        case noLTE = "no-lte"
    }

    /// What ends the faults.
    public enum Cure: String, CaseIterable, Sendable {
        case never, reconnect, reset
        case powerCycle = "power-cycle"
    }

    public struct Options: Equatable, Sendable {
        public var faults: Set<Fault> = []
        public var cure = Cure.never
        /// From power or a reset to the first answer.
        public var bootMillis: Int64 = 3_000
        public var registrationMillis: Int64 = 6_000
        /// From registration to the host's route.
        public var routeMillis: Int64 = 2_000
        /// 0…31, 99 not known.
        public var signal = 18

        public init() {}
    }

    static let slowMillis: Int64 = 1_500
    static let quickMillis: Int64 = 20

    public var options: Options
    public private(set) var isPowered = false
    /// How often it was powered, reset and re-attached, for a test to count.
    public private(set) var boots = 0
    public private(set) var resets = 0
    public private(set) var attachments = 0
    private var readyAt = Instant.never
    private var attachedAt = Instant.never
    private var isEchoing = true
    private var line: [UInt8] = []
    private var output: [(at: Instant, bytes: [UInt8])] = []

    public init(_ options: Options = Options()) { self.options = options }

    public mutating func setPower(_ isOn: Bool, at now: Instant) {
        guard isOn != isPowered else { return }
        isPowered = isOn
        output = []
        if isOn {
            boots += 1
            if boots > 1 { cure(by: .powerCycle) }
            boot(at: now)
        }
    }

    /// When it next says something.
    public var nextOutput: Instant { output.first?.at ?? .never }

    /// What it has said until now.
    public mutating func take(at now: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        while let first = output.first, first.at <= now { bytes += output.removeFirst().bytes }
        return bytes
    }

    /// The host would have a default route over it.
    public func hasRoute(at now: Instant) -> Bool {
        !options.faults.contains(.bearerLost) && !options.faults.contains(.hang)
            && registeredAt(now).map { now.millis(since: $0) >= options.routeMillis } ?? false
    }

    public mutating func receive(_ bytes: [UInt8], at now: Instant) {
        guard isPowered, now >= readyAt else { return }
        for byte in bytes {
            guard byte == 0x0D else {
                if byte != 0x0A { line.append(byte) }
                continue
            }
            let command = String(decoding: line, as: UTF8.self)
            line = []
            guard !options.faults.contains(.hang) || command == "AT+CFUN=1,1" else { continue }
            if isEchoing { say(command + "\r", at: now) }
            answer(command, at: now)
        }
    }

    private mutating func boot(at now: Instant) {
        readyAt = now.advanced(byMillis: options.bootMillis)
        attachedAt = readyAt
        isEchoing = true
        line = []
    }

    private mutating func cure(by cure: Cure) { if options.cure == cure { options.faults = [] } }

    private func registeredAt(_ now: Instant) -> Instant? {
        let faults: Set<Fault> = [.simAbsent, .simLocked, .denied, .noCoverage]
        guard isPowered, attachedAt != .never, options.faults.isDisjoint(with: faults) else { return nil }
        let at = attachedAt.advanced(byMillis: options.registrationMillis)
        return at <= now ? at : nil
    }

    private mutating func answer(_ command: String, at now: Instant) {
        switch command {
        case "AT", "AT+CMEE=1": say(result: "OK", at: now)
        case "ATE0":
            isEchoing = false
            say(result: "OK", at: now)
        case "AT+CPIN?":
            if options.faults.contains(.simAbsent) { return say(result: "+CME ERROR: 10", at: now) }
            say(options.faults.contains(.simLocked) ? "+CPIN: SIM PIN" : "+CPIN: READY", at: now)
        case "AT+CSQ": say("+CSQ: \(options.signal),99", at: now)
        case "AT+CEREG?" where options.faults.contains(.noLTE): say(result: "ERROR", at: now)
        case "AT+CEREG?": say("+CEREG: 0,\(registrationStatus(now))", at: now)
        case "AT+CGREG?": say("+CGREG: 0,\(registrationStatus(now))", at: now)
        case "AT+COPS?": say(registeredAt(now) == nil ? "+COPS: 0" : "+COPS: 0,0,\"Simulated\",7", at: now)
        case "AT+CGATT=0":
            attachedAt = .never
            say(result: "OK", at: now)
        case "AT+CGATT=1":
            attachments += 1
            cure(by: .reconnect)
            attachedAt = now
            say(result: "OK", at: now)
        case "AT+CFUN=1,1":
            resets += 1
            let answers = !options.faults.contains(.hang)
            cure(by: .reset)
            if answers { say(result: "OK", at: now) }
            boot(at: now)
        default: say(result: "ERROR", at: now)
        }
    }

    private func registrationStatus(_ now: Instant) -> Int {
        if options.faults.contains(.denied) { return 3 }
        if options.faults.contains(.noCoverage) { return 0 }
        return registeredAt(now) == nil ? 2 : 1
    }

    /// An information line and the result `OK`.
    private mutating func say(_ information: String, at now: Instant) {
        guard !information.hasSuffix("\r") else { return put(information, at: now) }
        put("\r\n\(information)\r\n\r\nOK\r\n", at: now)
    }

    private mutating func say(result: String, at now: Instant) { put("\r\n\(result)\r\n", at: now) }

    private mutating func put(_ text: String, at now: Instant) {
        let delay = options.faults.contains(.slow) ? Self.slowMillis : Self.quickMillis
        output.append((now.advanced(byMillis: delay), Array(text.utf8)))
    }
}
