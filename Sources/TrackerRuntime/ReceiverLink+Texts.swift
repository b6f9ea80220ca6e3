import Ports

/// What the operator reads: what happened and what to do.
extension ReceiverLink {
    /// Bytes without sentences and no bytes at all have different remedies.
    func text(of complaint: ReceiverFinder.Complaint) -> String {
        switch complaint {
        case .fellSilent: return "the receiver on \(stream.name) fell silent; check its power and cable"
        case .onlyNoise:
            let heard = "\(bytesSinceOpen) bytes from \(stream.name) but no valid sentence at "
            if let baud = settings.baud {
                return heard + "\(baud) bit/s; set gnss.baud to auto or to the receiver's speed, "
                    + "and check that nothing else uses the port"
            }
            return heard
                + "any speed (gnss.baud: auto); check that it is a GNSS receiver, that its ground is connected, "
                + "and that nothing else uses the port"
        case .nothingHeard:
            let speed = settings.baud.map { "\($0) bit/s" } ?? "any speed"
            return "nothing arrives on \(stream.name) at \(speed); check the receiver's power, "
                + "and that its TX is on our RX"
        }
    }

    /// F-17.
    var consoleProblem: String {
        "a console shares \(stream.name) with the receiver: '\(consoleText ?? "")'; take it away: "
            + "systemctl disable --now serial-getty@\(stream.name.split(separator: "/").last ?? "serial0"), and remove "
            + "console=serial0,115200 from cmdline.txt"
    }

    /// E-008.
    var backlogProblem: String {
        "fixes arrive late on \(stream.name) at \(lineSpeed) bit/s and are dropped; "
            + "lower the receiver's rate or number of messages, or raise its speed"
    }
}
