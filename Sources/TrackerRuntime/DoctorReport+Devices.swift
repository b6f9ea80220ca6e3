import WireText

/// The rungs of the devices.
extension DoctorReport {
    static func service(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(1, "service")
        switch facts.daemon {
        case .answers:
            let status = facts.status
            rung.evidence.append("the daemon answers, version \(status["service.version"]?.plain ?? "unknown")")
            if let seconds = status["service.uptimeSec"]?.doubleValue {
                rung.evidence.append("up \(StatusPage.duration(seconds))")
            }
        case .isDown(let problem), .isClosed(let problem): rung.blame(.fail, problem)
        }
        if let problem = facts.lookProblem { rung.blame(.fail, "cannot look without it: \(problem)") }
        return rung
    }

    static func port(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(2, "serial port")
        if let silence = facts.silence {
            rung.skip(silence)
            return rung
        }
        let receiver = facts.status["receiver"] ?? .object([:])
        let device = receiver["device"]?.plain ?? facts.config.gnssDevice
        // Held by the battery, or at rest: then silence is meant.
        if let held = receiver["held"]?.plain {
            rung.skip("closed: \(held)")
        } else if receiver["state"]?.stringValue == "off", receiver["power.state"]?.stringValue == "off" {
            rung.skip("the receiver rests")
        } else {
            let frames = (receiver["sentences"]?.intValue ?? 0) + (receiver["ubxFrames"]?.intValue ?? 0)
            if let text = receiver["consoleText"]?.plain {
                rung.blame(
                    .fail, "a console talks on \(device): \(text)",
                    "take console= out of the kernel's command line and disable serial-getty on it")
            }
            if receiver["state"]?.stringValue == "silent" || frames < 2 {
                rung.blame(
                    .fail, receiver["problem"]?.plain ?? "\(frames) valid frames on \(device)",
                    "check the wiring, and gnss.baud")
            } else {
                rung.evidence.append("\(device) at \(receiver["baud"]?.plain ?? "?") bit/s, \(frames) valid frames")
            }
        }
        return rung
    }

    static func receiver(_ facts: DoctorFacts, isHeard: Bool) -> Rung {
        var rung = Rung(3, "receiver")
        guard isHeard else {
            rung.skip("nothing is heard of it")
            return rung
        }
        let receiver = facts.status["receiver"] ?? .object([:])
        let state = receiver["state"]?.plain ?? "unknown"
        for name in ["model", "protocol"] { receiver[name].map { rung.evidence.append($0.plain) } }
        if ["fix2D", "fix3D", "differential"].contains(state) {
            rung.evidence.append(state)
            receiver["satellitesUsed"].map { rung.evidence.append("\($0.plain) satellites") }
            facts.status["position.accuracyM"].map { rung.evidence.append("± \($0.plain) m") }
        } else {
            rung.blame(.warn, "no fix", "give it a view of the sky; a cold start takes a minute and more")
        }
        if let antenna = receiver["health.antenna"]?.plain, ["open", "short"].contains(antenna) {
            rung.blame(.warn, "antenna \(antenna)", "check the antenna, its cable and its plug")
        }
        if let problem = receiver["problem"]?.plain { rung.blame(.warn, problem) }
        return rung
    }

    static func accelerometer(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(5, "accelerometer")
        if let silence = facts.silence {
            rung.skip(silence)
            return rung
        }
        guard facts.config.accelBus != "none" else {
            rung.skip("none is configured (accel.bus)")
            return rung
        }
        let sensors = facts.sensors
        let state = sensors["accelerometer.state"]?.plain
        if state == "ok" {
            for name in ["model", "name"] { sensors["accelerometer." + name].map { rung.evidence.append($0.plain) } }
            sensors["accelerometer.movingRateHz"].map { rung.evidence.append("\($0.plain) Hz") }
            sensors["accelerometer.noiseG"].map { rung.evidence.append("noise \($0.plain) g") }
            // A wake interrupt is a wish, not a fault.
            let missing = (sensors["missing"]?.arrayValue ?? []).map(\.plain).filter { !$0.contains("wake interrupt") }
            for item in missing { rung.blame(.warn, "missing: \(item)", "see device-cli sensors") }
        } else if state == "starting", sensors["accelerometer.problem"] == nil {
            rung.skip("it is being started: ask again in a moment")
        } else {
            rung.blame(
                .warn, sensors["accelerometer.problem"]?.plain ?? "it is \(state ?? "not known")",
                "see device-cli sensors")
        }
        return rung
    }

    static func power(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(6, "gauge, supply")
        if let silence = facts.silence {
            rung.skip(silence)
        } else {
            let power = facts.status["power"] ?? .object([:])
            rung.evidence.append(String(PowerPage.text(battery: power).prefix { $0 != "\n" }))
            if let problem = power["problem"]?.plain { rung.blame(.warn, problem) }
            if let gate = power["gate"]?.plain { rung.blame(.warn, "held: \(gate)") }
        }
        if facts.isUnderVoltage == true || facts.status["power.underVoltage"]?.boolValue == true {
            if rung.verdict == .skipped { rung.verdict = .ok }
            rung.blame(.warn, "the supply sags", "check battery, regulator and cable")
        }
        return rung
    }
}
