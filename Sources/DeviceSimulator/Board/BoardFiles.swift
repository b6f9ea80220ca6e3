import Glibc

/// What lies in the folder of a simulated board: its devices, the switches of its supplies, and a configuration with which
/// the daemon finds them.
struct BoardFiles {
    let folder: String

    var receiver: String { folder + "/gnss" }
    var mirror: String { folder + "/gnss-mirror" }
    var bus: String { folder + "/i2c" }
    var interruptLine: String { folder + "/int1" }
    var receiverPowerLine: String { folder + "/gnss-power" }
    var modem: String { folder + "/modem" }
    var modemPower: String { folder + "/modem-power" }
    /// `0` when the host has switched itself off.
    var hostPower: String { folder + "/host-power" }
    var config: String { folder + "/tracker.yaml" }

    /// Writes the switches, all on, and the configuration.
    func write(_ script: BoardScript, port: UInt16?) throws(BenchFailure) {
        try BenchFile.write(Array("1\n".utf8), to: hostPower)
        if script.modem != nil {
            try BenchFile.write(Array("0\n".utf8), to: modemPower)
            try writeProgram("modem-on", says: "1")
            try writeProgram("modem-off", says: "0")
        }
        try BenchFile.write(Array(configText(script, port: port).utf8), to: config)
    }

    private func writeProgram(_ name: String, says word: String) throws(BenchFailure) {
        let path = folder + "/" + name
        // Renamed into place: an empty switch would be on.
        let text = "#!/bin/sh\necho \(word) >\(modemPower).new && mv \(modemPower).new \(modemPower)\n"
        try BenchFile.write(Array(text.utf8), to: path)
        if chmod(path, 0o755) != 0 { throw .call("chmod", path, remedy: "Name a folder of your own.") }
    }

    private func configText(_ script: BoardScript, port: UInt16?) -> String {
        var text = """
            # Written by tracker-sim board.
            service:
              stateDir: \(folder)/state
              socket: \(folder)/control.sock
            gnss:
              device: \(receiver)
              baud: auto
              powerControl: \(script.receiver.family.powerControl)
              powerLine: unix:\(receiverPowerLine)
            accel:
              bus: unix:\(bus)
              intLine: unix:\(interruptLine)
            power:
              supplyPath: \(folder)/power_supply
              gauge: max17048
              gaugeBus: unix:\(bus)
              batteryMilliwattHours: \(Int(script.battery.capacityMilliwattHours))

            """
        if script.modem != nil {
            text += """
                link:
                  atDevice: \(modem)
                  modemPower: command
                  powerOnCommand: \(folder)/modem-on
                  powerOffCommand: \(folder)/modem-off

                """
        }
        if let port {
            text += """
                upload:
                  url: http://127.0.0.1:\(port)/points
                  allowCleartext: true

                """
        }
        return text
    }
}

extension SimulatedFamily {
    /// `gnss.powerControl` for it.
    fileprivate var powerControl: String {
        switch self {
        case .ublox6, .ublox8, .ublox10: "ubx"
        case .mtk: "mtk"
        case .quectel: "pair"
        case .generic: "gpio"
        }
    }
}
