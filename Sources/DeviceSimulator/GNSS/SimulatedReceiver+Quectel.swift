extension SimulatedReceiver {
    /// PAIR and PQTM commands of Airoha-based modules and their answers (PAIR001: 0 done, 3 unsupported, 4 bad value).
    mutating func obeyQuectel(_ fields: [String]) {
        let name = fields[0]
        if name.hasPrefix("PQTM") { return obeyPQTM(name) }
        guard name.hasPrefix("PAIR"), name.utf8.count == 7, let command = Int(name.dropFirst(4)) else { return }
        commandCount += 1
        let arguments = fields.dropFirst().map { Int($0) }
        switch command {
        case 2:
            if isAsleep { wake() }
            answerPAIR(command, 0)
        case 3:
            answerPAIR(command, 0)
            standBy()
        case 4: restartPAIR(command, .hot, configuration)
        case 5: restartPAIR(command, .warm, configuration)
        case 6: restartPAIR(command, .cold, configuration)
        case 7:
            memory = ConfigurationMemory()
            restartPAIR(command, .cold, factory)
        case 20:
            answerPAIR(command, 0)
            say(sentence: ["PAIR020", "AG3352Q_V2.3.0.AG3352_20230420", "S", "N", "9ec1cc8", "2210141406", "2ba", "3"])
        case 50: changePAIRPeriod(arguments.first ?? nil)
        case 51:
            answerPAIR(command, 0)
            say(sentence: ["PAIR051", String(configuration.periodMillis)])
        case 62: changePAIRSentence(arguments)
        case 382:
            isSleepLocked = arguments.first == 1
            answerPAIR(command, 0)
        case 513:
            memory.flash = configuration
            answerPAIR(command, 0)
        case 514:
            memory = ConfigurationMemory()
            answerPAIR(command, 0)
        case 864:
            guard arguments.count == 3, let baud = arguments[2], Self.rates.contains(baud) else {
                return answerPAIR(command, 4)
            }
            // Used from the next start on.
            baudAfterStart = baud
            answerPAIR(command, 0)
        default: answerPAIR(command, 3)
        }
    }

    private mutating func answerPAIR(_ command: Int, _ result: Int) {
        say(sentence: ["PAIR001", NMEASentence.padded(command, 3), String(result)])
    }

    private mutating func restartPAIR(_ command: Int, _ start: ReceiverStart, _ newConfiguration: ReceiverConfiguration)
    {
        reboot(start, with: newConfiguration)
        answerPAIR(command, 0)
    }

    private mutating func changePAIRPeriod(_ millis: Int?) {
        guard let millis, (100...1_000).contains(millis) else { return answerPAIR(50, 4) }
        setPeriod(millis)
        answerPAIR(50, 0)
    }

    private mutating func changePAIRSentence(_ arguments: [Int?]) {
        guard arguments.count == 2, let kind = arguments[0], let rate = arguments[1], (0...20).contains(rate),
            Self.kinds.indices.contains(kind)
        else { return answerPAIR(62, 4) }
        if let message = Self.kinds[kind] { configuration.set(message, rate: rate) }
        answerPAIR(62, 0)
    }

    /// The numbers of PAIR062; 7 is GRS, which the model has not.
    private static let kinds: [ReceiverMessage?] = [.gga, .gll, .gsa, .gsv, .rmc, .vtg, .zda, nil, .gst, .gns]

    private mutating func obeyPQTM(_ name: String) {
        commandCount += 1
        switch name {
        case "PQTMVERNO": say(sentence: ["PQTMVERNO", "LC76GPANR12A03S", "2023/05/05", "10:20:30"])
        case "PQTMSAVEPAR":
            memory.flash = configuration
            say(sentence: [name, "OK"])
        case "PQTMRESTOREPAR":
            memory = ConfigurationMemory()
            say(sentence: [name, "OK"])
        case "PQTMHOT": reboot(.hot, with: configuration)
        case "PQTMWARM": reboot(.warm, with: configuration)
        case "PQTMCOLD": reboot(.cold, with: configuration)
        default: say(sentence: [name, "ERROR", "3"])
        }
    }
}
