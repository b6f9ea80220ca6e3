import Ports
import TrackerModel
import WireText

/// The rungs of the host.
extension DoctorReport {
    /// Between the receiver's time and the host's.
    private static let skewMillis: Int64 = 2_000
    /// Free at least this much, where the share is low, and this fast to the medium.
    private static let freeBytes: Int64 = 500_000_000
    private static let syncMillis: Int64 = 200

    static func clock(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(4, "clock")
        guard let wall = facts.status["clock.wall"]?.stringValue else {
            rung.skip("nobody tells of it")
            return rung
        }
        let trusted = facts.status["clock.trusted"]?.boolValue == true
        rung.evidence.append(trusted ? "the receiver has set it" : "not set by the receiver yet")
        rung.evidence.append(facts.hasClockChip ? "a clock chip" : "no clock chip")
        switch wall {
        case "disciplined": rung.evidence.append("the host's is held by a time source")
        case "estimated": rung.evidence.append("the host's is held by no time source")
        default:
            rung.blame(
                .warn, "the host's is not set",
                "give it a time source: chrony with time.chronySocket, a network, or a clock chip")
        }
        func time(_ path: String) -> Int64? { facts.status[path]?.stringValue.flatMap(TimeText.parse)?.millis }
        if trusted, let utc = time("clock.utc"), let wall = time("service.savedAt"), abs(utc - wall) > skewMillis {
            rung.blame(
                .warn, "the host's is \(abs(utc - wall) / 1_000) s \(wall < utc ? "behind" : "ahead")",
                "let chrony have the receiver's time (time.chronySocket), or set the clock")
        }
        return rung
    }

    static func storage(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(7, "storage")
        let place = facts.config.stateDir
        guard let usage = facts.usage else {
            rung.blame(.fail, "\(place) cannot be read", "create it for the service user (sudo deploy/install.sh)")
            return rung
        }
        let text = "\(usage.freeBytes / 1_000_000) MB free in \(place)"
        if usage.freeBytes < freeBytes, usage.isLow {
            rung.blame(.warn, text, "free space on its file system")
        } else {
            rung.evidence.append(text)
        }
        if let millis = facts.syncMillis {
            if millis >= syncMillis {
                rung.blame(.warn, "\(millis) ms to the medium", "the card is worn or slow: put in another")
            } else {
                rung.evidence.append("\(millis) ms to the medium")
            }
        }
        if let problem = facts.syncProblem {
            rung.blame(.fail, problem, "see what the system says of its medium (dmesg, findmnt -T \(place))")
        }
        if let problem = facts.status["storage.problem"]?.plain { rung.blame(.fail, problem) }
        return rung
    }

    static func units(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(8, "units")
        guard let unit = facts.unit else {
            rung.skip("no service manager runs here")
            return rung
        }
        func expect(_ holds: Bool, _ good: String, _ bad: String, _ remedy: String) {
            if holds { rung.evidence.append(good) } else { rung.blame(.warn, bad, remedy) }
        }
        expect(
            unit.isEnabled, "tracker.service is enabled", "tracker.service is not enabled: no start after a reboot",
            "sudo systemctl enable tracker")
        if unit.isEnabled {
            expect(unit.hasWatchdog, "watched", "it has no watchdog", "install the unit again (sudo deploy/install.sh)")
        }
        expect(
            unit.keepsJournal, "the journal is kept", "the journal is lost with each boot",
            "sudo mkdir -p /var/log/journal && sudo systemctl restart systemd-journald")
        return rung
    }

    static func network(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(9, "network")
        if let silence = facts.silence {
            rung.skip(silence)
            return rung
        }
        let hasRoute = facts.status["link.interface"] != nil
        if let name = facts.status["link.interface"]?.plain { rung.evidence.append("route by \(name)") }
        guard let steps = facts.exchange?["steps"]?.arrayValue else {
            if facts.config.uploadURL.isEmpty {
                rung.evidence.append("no upload.url")
            } else if !hasRoute {
                rung.blame(.warn, "no route", "bring the network up (device-cli link)")
            } else {
                rung.evidence.append(facts.exchange?["refusal"]?.plain ?? "the endpoint is asked by the running daemon")
            }
            return rung
        }
        for step in steps where step["step"] != "credential" && step["step"] != "format" && step["step"] != "answer" {
            let (name, text) = (step["step"]?.plain ?? "", step["text"]?.plain ?? "")
            switch step["verdict"]?.stringValue {
            case "failed": rung.blame(.warn, "\(name): \(text)", "see device-cli sync test")
            case "ok" where name != "route": rung.evidence.append(name)
            default: break
            }
        }
        return rung
    }

    static func configuration(_ facts: DoctorFacts) -> Rung {
        var rung = Rung(10, "configuration")
        for problem in facts.configProblems { rung.blame(.fail, problem) }
        if facts.configProblems.isEmpty { rung.evidence.append("\(facts.configPath): ok") }
        if facts.status["service.configSource"] == "lastGood" {
            rung.blame(
                .fail, "the daemon runs on the last good one",
                "mend \(facts.configPath), then: sudo systemctl restart tracker")
        }
        return rung
    }
}
