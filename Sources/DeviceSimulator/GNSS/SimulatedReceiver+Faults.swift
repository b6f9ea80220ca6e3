import TrackerModel

extension SimulatedReceiver {
    /// What happens at the moment a fault begins; lasting faults are looked up where they matter.
    mutating func begin(_ fault: ReceiverFault) {
        switch fault.kind {
        case .powerCut, .powerLost: if power != .off { powerDown() }
        case .restart:
            // A reset that forgets everything that was told (edge case E-005).
            memory = ConfigurationMemory()
            var forgotten = factory
            forgotten.baud = Int(fault.value)
            reboot(.hot, with: forgotten)
        case .coldRestart: reboot(.cold, with: memory.loaded(orFactory: factory))
        case .wakes: if isAsleep { wake() }
        case .clockStep: clock.step(byMillis: Int64(fault.value * 1_000))
        case .leapSecond: clock.insertLeapSecond(at: now)
        case .truncated: truncatesNext = true
        case .console:
            say(
                "\r\nDebian GNU/Linux 13 raspberrypi ttyS0\r\n\r\nraspberrypi login: \r\n[   12.345678] usb 1-1: new full-speed USB device\r\n"
            )
        case .overlong: say("$GPGGA," + noiseText(Int(fault.value)) + "*00\r\n")
        case .bigFrame:
            // A long MON-VER answer right before the next epoch (field report F-10).
            say(UBXFrame.bytes(0x0A04, [UInt8](repeating: 0x20, count: Int(fault.value))))
        case .badLength:
            // Bytes were lost, and the next sync pair is read as a length of 25 269 (field report F-11).
            say([0xB5, 0x62, 0x05, 0x01, 0xB5, 0x62])
        case .flood: scheduleEpoch(after: now)
        default: break
        }
    }

    private mutating func noiseText(_ count: Int) -> String {
        String(decoding: (0..<count).map { _ in UInt8(ascii: "0") + UInt8(lineNoise.next() % 10) }, as: UTF8.self)
    }

    /// What it says when it starts.
    mutating func sayHello() {
        switch options.family {
        case .ublox6, .ublox8, .ublox10:
            let text = ["u-blox AG - www.u-blox.com", "HW " + hardware, "ANTSUPERV=AC SD PDoS SR", "ANTSTATUS=INIT"]
            for line in text {
                if configuration.sendsNMEA {
                    say(sentence: [options.family.nmeaStyle.talker + "TXT", "01", "01", "02", line])
                } else if configuration.sendsUBX {
                    say(UBXFrame.bytes(0x0402, Array(line.utf8)))
                }
            }
        case .mtk:
            say(sentence: ["PMTK011", "MTKGPS"])
            say(sentence: ["PMTK010", "001"])
        case .quectel: say(sentence: ["PAIR012"])
        case .generic: break
        }
    }

    var hardware: String {
        switch options.family {
        case .ublox6: "00040007"
        case .ublox8: "00080000"
        default: "000A0000"
        }
    }
}
