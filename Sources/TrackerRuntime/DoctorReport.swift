public import Ports
import SyncEngine
public import WireText

/// What `device-cli doctor` found out before it judges (spec api §7).
public struct DoctorFacts {
    public enum Daemon {
        case answers
        /// None runs; what follows is from a look of the tool's own.
        case isDown(String)
        /// One runs and does not talk to us: nobody else may have its devices.
        case isClosed(String)
    }

    public var daemon = Daemon.answers
    /// `state` and `getSensors` of the daemon, or of a look of the tool's own.
    public var status: JSONValue = .object([:])
    public var sensors: JSONValue = .object([:])
    /// Why there is no look of the tool's own although no daemon runs.
    public var lookProblem: String?
    /// `sync.test` without credentials; `nil`: it was not asked for.
    public var exchange: JSONValue?
    public var configPath = ""
    /// Errors, unreadable files, unknown and ignored keys.
    public var configProblems: [String] = []
    public var config = TrackerConfig()
    public var isUnderVoltage: Bool?
    public var hasClockChip = false
    /// Of the state directory's file system; `nil` when there is none.
    public var usage: StorageUsage?
    /// The slowest but one of twenty durable writes; `nil` where we may not write.
    public var syncMillis: Int64?
    /// Why they failed where we may.
    public var syncProblem: String?
    /// `nil`: no service manager runs here.
    public var unit: Unit?

    public struct Unit {
        public var isEnabled: Bool
        public var hasWatchdog: Bool
        public var keepsJournal: Bool

        public init(isEnabled: Bool, hasWatchdog: Bool, keepsJournal: Bool) {
            self.isEnabled = isEnabled
            self.hasWatchdog = hasWatchdog
            self.keepsJournal = keepsJournal
        }
    }

    public init() {}

    /// Why nobody tells of the devices and the network, so that they cannot be judged; `nil`: somebody does.
    var silence: String? {
        if case .isClosed = daemon {
            "the daemon does not talk to us"
        } else {
            lookProblem.map { _ in "the look failed" }
        }
    }

    /// There is an endpoint, and a way to it that need not be made first.
    public var wantsExchange: Bool {
        !config.uploadURL.isEmpty && (status["link.interface"] != nil || config.sync.isLoopback)
    }
}

/// The ladder of checks: each says what it found and what to do, and one that cannot be judged is skipped.
public struct DoctorReport {
    enum Verdict: String, Sendable {
        case ok
        case warn
        case fail
        case skipped
    }

    struct Rung {
        var number: Int
        var name: String
        var verdict = Verdict.ok
        var evidence: [String] = []
        var remedies: [String] = []

        init(_ number: Int, _ name: String) {
            self.number = number
            self.name = name
        }

        /// Something wrong, as the status says it: cause, then what to do. `remedy` where it does not say that.
        mutating func blame(_ verdict: Verdict, _ problem: String, _ remedy: String? = nil) {
            if self.verdict != .fail { self.verdict = verdict }
            let parts = problem.split(separator: ";", maxSplits: 1).map { $0.drop { $0 == " " } }
            evidence.append(String(parts.first ?? ""))
            if let advice = parts.count > 1 ? String(parts[1]) : remedy { remedies.append(advice) }
        }

        mutating func skip(_ reason: String) {
            verdict = .skipped
            evidence = [reason]
        }
    }

    let rungs: [Rung]

    public init(_ facts: DoctorFacts) {
        let port = Self.port(facts)
        rungs = [
            Self.service(facts), port, Self.receiver(facts, isHeard: port.verdict == .ok), Self.clock(facts),
            Self.accelerometer(facts), Self.power(facts), Self.storage(facts), Self.units(facts), Self.network(facts),
            Self.configuration(facts),
        ]
    }

    private func count(_ verdict: Verdict) -> Int { rungs.count { $0.verdict == verdict } }

    /// 4 with failures, 5 with warnings alone (spec api §1).
    public var exitStatus: Int32 { count(.fail) > 0 ? 4 : count(.warn) > 0 ? 5 : 0 }

    public var json: JSONValue {
        let checks = rungs.map { rung -> JSONValue in
            func list(_ lines: [String]) -> JSONValue { .array(lines.map { .string($0) }) }
            return [
                "number": .int(Int64(rung.number)), "check": .string(rung.name),
                "verdict": .string(rung.verdict.rawValue),
                "evidence": list(rung.evidence), "remedies": list(rung.remedies),
            ]
        }
        return ["ok": .bool(exitStatus == 0), "checks": .array(checks)]
    }

    /// One line a rung, and below it what to do.
    public var text: String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        let lines = rungs.map { rung in
            let head = (rung.number < 10 ? " " : "") + "\(rung.number) " + padded(rung.name, 15)
            let verdict = rung.verdict == .fail ? "FAIL" : rung.verdict.rawValue
            return head + padded(verdict, 9) + rung.evidence.joined(separator: ", ") + "\n"
                + rung.remedies.map { String(repeating: " ", count: 27) + "-> \($0)\n" }.joined()
        }
        return lines.joined() + "\(count(.fail)) failed, \(count(.warn)) warned, \(count(.skipped)) skipped\n"
    }
}
