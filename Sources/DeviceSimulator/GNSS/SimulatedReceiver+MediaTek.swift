import TrackerModel

extension SimulatedReceiver {
    /// PMTK commands of MT33xx chips and their answers (PMTK001 flags: 1 unsupported, 2 failed, 3 done).
    mutating func obeyPMTK(_ fields: [String]) {
        guard fields[0].hasPrefix("PMTK"), let command = Int(fields[0].dropFirst(4)) else { return }
        commandCount += 1
        let arguments = fields.dropFirst().map { Int($0) }
        switch command {
        case 0, 286, 301, 313, 353, 386: answerPMTK(command, 3)
        case 101: reboot(.hot, with: configuration)
        case 102: reboot(.warm, with: configuration)
        case 103: reboot(.cold, with: configuration)
        case 104: reboot(.cold, with: factory)
        case 161:
            answerPMTK(command, 3)
            sleep(until: .never)
        case 220, 300: changePeriod(command, arguments.first ?? nil)
        case 251: changePMTKBaud(arguments.first ?? nil)
        case 314: changeSentences(arguments)
        case 400: say(sentence: ["PMTK500", String(configuration.periodMillis), "0", "0", "0", "0"])
        case 414:
            let rates = Self.sentenceOrder.map { $0.map { configuration.rate(of: $0) } ?? 0 }
            say(sentence: ["PMTK514"] + rates.map(String.init))
        case 605: say(sentence: ["PMTK705", "AXN_2.31_3339_13101700", "5632", "PA6H", "1.0"])
        default: answerPMTK(command, 1)
        }
    }

    private mutating func answerPMTK(_ command: Int, _ flag: Int) {
        say(sentence: ["PMTK001", String(command), String(flag)])
    }

    private mutating func changePeriod(_ command: Int, _ millis: Int?) {
        guard let millis, (100...10_000).contains(millis) else { return answerPMTK(command, 2) }
        setPeriod(millis)
        answerPMTK(command, 3)
    }

    /// 0 is the factory rate.
    private mutating func changePMTKBaud(_ told: Int?) {
        guard let told, told == 0 || Self.rates.contains(told) else { return answerPMTK(251, 2) }
        answerPMTK(251, 3)
        configuration.baud = told == 0 ? factory.baud : told
    }

    private mutating func changeSentences(_ rates: [Int?]) {
        if rates == [-1] {
            configuration.rates = factory.rates
            return answerPMTK(314, 3)
        }
        guard rates.count == 19, rates.allSatisfy({ $0.map { (0...5).contains($0) } ?? false }) else {
            return answerPMTK(314, 2)
        }
        for (message, rate) in zip(Self.sentenceOrder, rates) {
            if let message { configuration.set(message, rate: rate ?? 0) }
        }
        answerPMTK(314, 3)
    }

    /// The places of PMTK314; empty ones are sentences the model has not.
    private static let sentenceOrder: [ReceiverMessage?] = [
        .gll, .rmc, .vtg, .gga, .gsa, .gsv, nil, .gst, nil, nil, nil, nil, nil, nil, nil, nil, nil, .zda, nil,
    ]
}
