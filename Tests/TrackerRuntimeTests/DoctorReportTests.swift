import Ports
import Testing
import WireText

@testable import TrackerRuntime

@Suite("Doctor (A-25)")
struct DoctorReportTests {
    private static func json(_ text: String) throws -> JSONValue { try JSONReader.parse(Array(text.utf8)) }

    private func healthy() throws -> DoctorFacts {
        var facts = DoctorFacts()
        facts.status = try Self.json(
            """
            {"service": {"version": "0.1.0", "uptimeSec": 90, "savedAt": "2026-05-04T07:00:00.500Z"},
             "receiver": {"state": "fix3D", "device": "/dev/serial0", "baud": 9600, "sentences": 100, "ubxFrames": 0,
                          "model": "NEO-M8N", "satellitesUsed": 9},
             "position": {"accuracyM": 2.5}, "power": {"percent": 57, "isCharging": false, "powerSource": "none"},
             "link": {"state": "up", "interface": "wwan0"},
             "clock": {"trusted": true, "wall": "disciplined", "utc": "2026-05-04T07:00:00.000Z"}}
            """)
        facts.sensors = try Self.json(
            """
            {"accelerometer": {"state": "ok", "model": "ADXL345", "name": "/dev/i2c-1", "movingRateHz": 50,
                               "noiseG": 0.0028}, "missing": ["a wired wake interrupt"]}
            """)
        facts.exchange = try Self.json(
            """
            {"ok": false, "steps": [{"step": "route", "verdict": "ok", "text": "wwan0"},
             {"step": "name", "verdict": "ok", "text": "resolved"}, {"step": "TLS", "verdict": "ok", "text": "1.3"},
             {"step": "answer", "verdict": "failed", "text": "401"}]}
            """)
        facts.config.accelBus = "/dev/i2c-1"
        facts.config.uploadURL = "https://example.org"
        facts.configPath = "/etc/tracker/tracker.yaml"
        facts.usage = .init(usedBytes: 0, freeBytes: 20_000_000_000, totalBytes: 30_000_000_000)
        facts.syncMillis = 12
        facts.unit = .init(isEnabled: true, hasWatchdog: true, keepsJournal: true)
        return facts
    }

    /// Replaces a member of the status, two names deep.
    private static func set(_ value: JSONValue, _ path: String, in facts: inout DoctorFacts) {
        let names = path.split(separator: ".").map(String.init)
        var root = facts.status.objectValue ?? [:]
        var group = root[names[0]]?.objectValue ?? [:]
        group[names[1]] = value
        root[names[0]] = .object(group)
        facts.status = .object(root)
    }

    private func verdicts(_ report: DoctorReport) -> [String] {
        report.rungs.filter { $0.verdict != .ok }.map { "\($0.number) \($0.verdict.rawValue)" }
    }

    @Test("A healthy board passes every rung; the server's refusal of a bare request is none of its faults")
    func allWell() throws {
        let report = DoctorReport(try healthy())
        #expect(report.rungs.map(\.number) == Array(1...10))
        #expect(verdicts(report).isEmpty && report.exitStatus == 0, "\(report.text)")
        #expect(report.rungs.allSatisfy { !$0.evidence.isEmpty && $0.remedies.isEmpty })
        #expect(report.text.hasSuffix("0 failed, 0 warned, 0 skipped\n"))
        #expect(report.text.contains(" 2 serial port    ok       /dev/serial0 at 9600 bit/s, 100 valid frames\n"))
        #expect(report.json["ok"] == true)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rungs: [String]
        var saying: String
        var make: @Sendable (inout DoctorFacts) -> Void

        init(
            _ name: String, _ rungs: [String], _ saying: String, _ make: @escaping @Sendable (inout DoctorFacts) -> Void
        ) { (testDescription, self.rungs, self.saying, self.make) = (name, rungs, saying, make) }
    }

    static let faults: [Fault] = [
        Fault("no daemon", ["1 fail"], "start it") { $0.daemon = .isDown("nobody answers; start it") },
        Fault(
            "a socket that is closed to us",
            ["1 fail", "2 skipped", "3 skipped", "4 skipped", "5 skipped", "6 skipped", "9 skipped"],
            "join the group"
        ) {
            $0.daemon = .isClosed("permission denied; join the group")
            $0.status = .object([:])
        },
        Fault(
            "a look that fails",
            ["1 fail", "2 skipped", "3 skipped", "4 skipped", "5 skipped", "6 skipped", "9 skipped"],
            "Too many open files"
        ) {
            $0.daemon = .isDown("nobody answers; start it")
            $0.lookProblem = "epoll_create1: Too many open files; close some"
            $0.status = .object([:])
            $0.exchange = nil
        },
        Fault("a port that is absent", ["2 fail", "3 skipped"], "check the cable") {
            set("silent", "receiver.state", in: &$0)
            set("no such device; check the cable", "receiver.problem", in: &$0)
        },
        Fault("a console on the port", ["2 fail", "3 skipped"], "serial-getty") {
            set("login:", "receiver.consoleText", in: &$0)
        },
        Fault("one frame", ["2 fail", "3 skipped"], "1 valid frames") { set(1, "receiver.sentences", in: &$0) },
        Fault("a battery that holds the receiver", ["2 skipped", "3 skipped"], "at 4 %") {
            set("battery at 4 %", "receiver.held", in: &$0)
        },
        Fault("no fix", ["3 warn"], "view of the sky") { set("noFix", "receiver.state", in: &$0) },
        Fault("an antenna that is cut", ["3 warn"], "its plug") {
            set(["antenna": "open"], "receiver.health", in: &$0)
        },
        Fault("a clock that is not set", ["4 warn"], "time source") { set("unknown", "clock.wall", in: &$0) },
        Fault("a clock that is behind", ["4 warn"], "3600 s behind") {
            set("2026-05-04T06:00:00.000Z", "service.savedAt", in: &$0)
        },
        Fault("a chip that is absent", ["5 warn"], "check its wiring") {
            $0.sensors = ["accelerometer": ["state": "fault", "problem": "nothing answers; check its wiring"]]
        },
        Fault("a chip that is noisy", ["5 warn"], "noise below 0.015 g") {
            $0.sensors = ["accelerometer": ["state": "ok"], "missing": .array(["noise below 0.015 g"])]
        },
        Fault("a chip that is being started", ["5 skipped"], "in a moment") {
            $0.sensors = ["accelerometer": ["state": "starting"]]
        },
        Fault("no chip wanted", ["5 skipped"], "accel.bus") { $0.config.accelBus = "none" },
        Fault("a gauge that is absent", ["6 warn"], "check power.gaugeBus") {
            set("no answer; check power.gaugeBus", "power.problem", in: &$0)
        },
        Fault("a supply that sags", ["6 warn"], "regulator") { $0.isUnderVoltage = true },
        Fault("no state directory", ["7 fail"], "deploy/install.sh") { $0.usage = nil },
        Fault("a full disk", ["7 warn"], "free space") { $0.usage?.freeBytes = 100_000_000 },
        Fault("a slow card", ["7 warn"], "300 ms") { $0.syncMillis = 300 },
        Fault("a medium that refuses", ["7 fail"], "findmnt") { $0.syncProblem = "open x.tmp: Read-only file system" },
        Fault("a database that refuses", ["7 fail"], "remount it") {
            set("read-only; remount it", "storage.problem", in: &$0)
        },
        Fault("a unit that is not enabled", ["8 warn"], "systemctl enable") { $0.unit?.isEnabled = false },
        Fault("a journal in memory", ["8 warn"], "/var/log/journal") { $0.unit?.keepsJournal = false },
        Fault("no service manager", ["8 skipped"], "no service manager") { $0.unit = nil },
        Fault("no route", ["9 warn"], "device-cli link") {
            $0.exchange = nil
            var root = $0.status.objectValue ?? [:]
            root["link"] = ["state": "down"]
            $0.status = .object(root)
        },
        Fault("a name that is not found", ["9 warn"], "not known") {
            $0.exchange = ["steps": .array([["step": "name", "verdict": "failed", "text": "not known"]])]
        },
        Fault("an unknown key", ["10 fail"], "did you mean") {
            $0.configProblems = ["tracker.yaml:3: unknown key gnss.boud; did you mean gnss.baud?"]
        },
        Fault("a configuration that is not used", ["10 fail"], "restart tracker") {
            set("lastGood", "service.configSource", in: &$0)
        },
    ]

    @Test("Each fault is on its rung alone, with what to do", arguments: faults)
    func broken(fault: Fault) throws {
        var facts = try healthy()
        fault.make(&facts)
        let report = DoctorReport(facts)
        #expect(verdicts(report) == fault.rungs, "\(report.text)")
        #expect(report.text.contains(fault.saying), "\(report.text)")
        let isBad = { (word: String) in fault.rungs.contains { $0.hasSuffix(word) } }
        #expect(report.exitStatus == (isBad("fail") ? 4 : isBad("warn") ? 5 : 0))
        #expect(
            report.json["checks"]?.arrayValue?.count == 10 && (report.json["ok"] == true) == (report.exitStatus == 0))
    }

    @Test("The endpoint is asked only where there is one, and a way to it") func exchange() throws {
        var facts = try healthy()
        #expect(facts.wantsExchange)
        facts.status = .object([:])
        #expect(!facts.wantsExchange)
        facts.config.uploadURL = "http://127.0.0.1/x"
        #expect(facts.wantsExchange)
        facts.config.uploadURL = ""
        #expect(!facts.wantsExchange)
    }
}
