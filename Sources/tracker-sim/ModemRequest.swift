import DeviceSimulator

extension ModemPort.Options {
    init(_ arguments: inout ArgumentList) throws(UsageFailure) {
        self.init(link: try arguments.takeRequired("--link", of: "modem"))
        let words = SimulatedModem.Fault.allCases.map(\.rawValue).joined(separator: ", ")
        let faults = try arguments.take("--faults", "a list of \(words)") { text -> Set<SimulatedModem.Fault>? in
            let faults = text.split(separator: ",").map { SimulatedModem.Fault(rawValue: String($0)) }
            return faults.contains(nil) ? nil : Set(faults.compactMap { $0 })
        }
        if let faults { modem.faults = faults }
        let cure = try arguments.take("--cure", "never, reconnect, reset or power-cycle") {
            SimulatedModem.Cure(rawValue: $0)
        }
        if let cure { modem.cure = cure }
        let signal = try arguments.take("--signal", "0 to 31, or 99") { text in
            Int(text).flatMap { (0...31).contains($0) || $0 == 99 ? $0 : nil }
        }
        if let signal { modem.signal = signal }
        if let speed = try arguments.take("--speed", "a number above 0", Command.positive) { self.speed = speed }
        powerFile = try arguments.takeOption("--power-file")
    }
}
