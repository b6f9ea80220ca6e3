import Ports
import SyncEngine
import Testing
import TrackerEngine

@testable import TrackerRuntime

@Suite("Configuration table")
struct ConfigTableTests {
    private func entries(_ pairs: [(String, String)]) -> [ConfigEntry] {
        pairs.enumerated().map { ConfigEntry(path: $1.0, text: $1.1, line: $0 + 1) }
    }

    @Test("Every problem is listed with its line, and nothing of the file is used (F-58)")
    func problems() throws {
        let file = entries([
            ("geolocation.intervalMs", "10"), ("gnss.baud", "fast"), ("motion.stopTimeoutMin", "5"),
            ("geolocation.adaptiveCadence", "yes"), ("geolocation.mockLocationPolicy", "maybe"),
            ("service.socket", "relative"), ("upload.url", "http://example.org/x"),
        ])
        var lines: [Int] = []
        do throws(ConfigFailure) { _ = try ConfigTable.resolve(file) } catch { lines = error.problems.map(\.line) }
        #expect(lines == [1, 2, 4, 5, 6, 7])
    }

    @Test("An unknown key is a warning that names its likely place (E-226)")
    func unknown() throws {
        let resolved = try ConfigTable.resolve(entries([("intervalMs", "60000"), ("gnss.colour", "red")]))
        #expect(resolved.warnings.map(\.line) == [1, 2])
        #expect(resolved.warnings[0].message.contains("geolocation.intervalMs"))
    }

    @Test(
        "Cross rules",
        arguments: [
            [("geolocation.vehicularIntervalMs", "70000")], [("power.criticalBelowPercent", "40")],
            [("upload.backoffInitialSec", "60"), ("upload.backoffCeilingSec", "30")],
            [("upload.headers.X-A", "a\r\nb")], [("upload.headers.A B", "x")], [("geolocation.distanceFilterM", "10")],
            [("upload.url", "https://")], [("upload.url", "ftp://x")], [("upload.url", "https://u:p@host/")],
            [("upload.url", "mqtt://broker.example")], [("upload.url", "mqtts://")], [("upload.url", "mqtts://h/a/#")],
            [("upload.url", "mqtts://u:p@h/t")], [("upload.url", "mqtts://h/t"), ("upload.format", "osmand")],
            [("upload.user", "a/b")], [("upload.user", "")], [("upload.url", "https://a b/")],
            [("upload.format", "owntracks"), ("device.id", "a b")],
            [("upload.url", "mqtts://h/t"), ("device.id", "é")],
            [("upload.geofenceEvents", "true")], [("link.interface", "a b")],
            [("upload.geofenceEvents", "true"), ("upload.format", "flespi")],
            [("geolocation.turnBurstIntervalMs", "13000")],
            [("motion.bearingChangeCaptureDeg", "5")],
            [("motion.heartbeatIntervalSec", "100")], [("geolocation.accuracy.profile", "custom")],
            [("geolocation.accuracy.maxAccuracyMeters", "40")],
            // E-097
            [("motion.stillConfidenceMin", "50")],
            [("motion.stopOnStationary", "true"), ("motion.disableStopDetection", "true")],
            [("service.deadTrackerStationaryMin", "20")],
            [("geolocation.navigationMode", "true"), ("geolocation.navigationIntervalMs", "200")],
            [
                ("pipeline.ruleset", "reference"), ("geolocation.intervalMs", "2000"),
                ("geolocation.vehicularIntervalMs", "1000"),
            ],
        ])
    func cross(pairs: [(String, String)]) {
        #expect(throws: ConfigFailure.self) { try ConfigTable.resolve(entries(pairs)) }
    }

    @Test(
        "Loopback and allowed cleartext pass",
        arguments: [
            "http://127.0.0.1:80/x", "http://localhost/", "http://[::1]:5/", "https://a.example/x?y", "mqtt://[::1]:5",
            "mqtts://broker.example/fleet/7",
        ])
    func urls(url: String) throws {
        #expect(try ConfigTable.resolve(entries([("upload.url", url)])).config.sync.url == url)
    }

    @Test(
        "An address with credentials in it is refused and not repeated",
        arguments: [
            "mqtts://user:secret@host/t", "mqtt://user:secret@host/t", "HTTPS://u:secret@h", "https://u:secret@h/x",
            "https://u:secret @h/x", "u:secret@h", "ftp://u:secret@h", "mqtts://u:sec/secret@h/t", "MQTTS://u:secret@h",
        ])
    func urlSecrets(url: String) {
        var messages: [String] = []
        do throws(ConfigFailure) { _ = try ConfigTable.resolve(entries([("upload.url", url)])) } catch {
            messages = error.problems.map(\.message)
        }
        #expect(messages.count == 1 && messages.allSatisfy { !$0.contains("secret") }, "\(messages)")
        #expect(messages.allSatisfy { $0.contains("upload.headers") }, "\(messages)")
    }

    @Test("What a broker does not look at is told, by line")
    func brokerIgnores() throws {
        let file = [
            ("upload.url", "mqtts://h/t"), ("upload.method", "PUT"), ("upload.gzipRequestBody", "true"),
            ("upload.headers.Authorization", "Basic dTpw"), ("upload.headers.X-Key", "k"),
        ]
        #expect(try Set(ConfigTable.resolve(entries(file)).warnings.map(\.line)) == [2, 3, 5])
        let web = [("upload.url", "https://h/t")] + file.dropFirst()
        #expect(try ConfigTable.resolve(entries(web)).warnings.isEmpty)
    }

    @Test(
        "A name that only begins like an address of this host is somebody else's",
        arguments: ["http://127.evil.example/", "http://127.0.0.1.evil.example", "http://[::1].evil.example/"])
    func notLoopback(url: String) {
        #expect(throws: ConfigFailure.self) { try ConfigTable.resolve(entries([("upload.url", url)])) }
        var config = SyncConfig()
        config.url = url
        #expect(!config.isLoopback)
        config.url = "http://127.0.0.1:8080/x"
        #expect(config.isLoopback)
    }

    @Test("A wish for the receiver under way that changes nothing is told")
    func idleWish() throws {
        func warnings(_ pairs: [(String, String)]) throws -> [String] {
            try ConfigTable.resolve(entries(pairs)).warnings.map(\.message)
        }
        let rest = ("gnss.whileMoving", "rest")
        let ubx = ("gnss.powerControl", "ubx")
        #expect(try warnings([rest]) == ["gnss.whileMoving changes nothing while gnss.powerControl is none"])
        let often =
            "gnss.whileMoving: rest needs fixes 30000 ms apart or more; geolocation.vehicularIntervalMs is 12000"
        #expect(try warnings([rest, ubx]) == [often])
        #expect(try warnings([rest, ubx, ("geolocation.vehicularIntervalMs", "60000")]).isEmpty)
        #expect(try warnings([("gnss.whileMoving", "cyclic"), ubx]).isEmpty)
    }

    @Test("Of a file with mistakes the rest can be used, for a look")
    func usable() {
        let config = ConfigTable.usable(
            entries([
                ("gnss.device", "/dev/ttyS9"), ("gnss.baud", "fast"), ("gnss.powerControl", "gpio"),
                ("accel.bus", "iio"),
            ]))
        #expect(config.gnssDevice == "/dev/ttyS9" && config.accelBus == "iio")
        #expect(config.gnssBaud == nil && config.powerControl == .none)
    }

    /// A value other than the default for every key: a key that this changes nothing with is read by nobody (E-156).
    @Test("Every key of the table changes the configuration, and its own text reads back")
    func everyKey() throws {
        let samples: [String: String] = [
            "service.stateDir": "/tmp/x", "service.socket": "/tmp/s", "device.id": "d",
            "device.timezone": "Europe/Zurich",
            "gnss.device": "/dev/ttyS9", "gnss.powerControl": "ubx", "gnss.whileMoving": "rest",
            "accel.bus": "/dev/i2c-7", "accel.address": "0x19",
            "geolocation.mockLocationPolicy": "reject", "power.supplyPath": "/tmp/p", "upload.url": "https://a.example",
            "upload.method": "PUT", "gnss.uereM": "7.5", "pipeline.ruleset": "reference",
            "motion.bearingChangeCaptureDeg": "60",
            "motion.heartbeatIntervalSec": "1800", "gnss.hAccScale": "2.0", "motion.stationaryRadiusM": "99.0",
            "geolocation.intervalMs": "90000", "power.shutdownPercent": "2", "gnss.baud": "38400",
            "upload.backoffInitialSec": "20", "upload.backoffCeilingSec": "900", "upload.maxBodyBytes": "4096",
            "power.saveBelowPercent": "40", "power.criticalBelowPercent": "16", "power.survivalBelowPercent": "6",
            "geolocation.vehicularIntervalMs": "9000", "service.healthLoopSec": "60", "accel.rateHz": "100",
            "geolocation.deliveryStalenessMs": "5000", "geolocation.turnBurstIntervalMs": "2000",
            "time.chronySocket": "/run/chrony.tracker.sock", "service.deadTrackerStationaryMin": "70",
            "geolocation.navigationIntervalMs": "2000", "geolocation.oneShotTimeoutMs": "5000",
            "service.watchdogThrottleSec": "600", "geolocation.capture": "geometry",
            "upload.format": "owntracks", "upload.caFile": "/etc/ca.pem", "geolocation.geometryToleranceM": "5.0",
            "motion.stillConfidenceMin": "90",
            "upload.order": "newestFirst", "upload.credentialFile": "/run/token", "upload.systemdCredential": "token",
            "upload.credentialEnvironment": "TOKEN",
            "persistence.rawFixRingCapacity": "200", "persistence.rawPointRingCapacity": "300",
            "persistence.decisionMaxRows": "400", "power.hwmonPath": "/tmp/h", "power.gauge": "max17048",
            "power.gaugeBus": "/dev/i2c-7", "power.gaugeAddress": "0x37",
            "link.powerKeyMs": "2000",
            "persistence.maxDaysToPersist": "9", "persistence.maxRecords": "500",
            "link.atDevice": "/dev/ttyUSB2", "link.modemManager": "off", "link.powerOnCommand": "/bin/on",
            "link.powerOffCommand": "/bin/off",
        ]
        let pairwise: Set = [
            "geolocation.accuracy.maxAccuracyMeters", "geolocation.accuracy.profile", "upload.clientCertificate",
            "upload.clientKey", "upload.geofenceEvents", "link.modemPower",
        ]
        for key in ConfigTable.keys where !pairwise.contains(key.path) {
            let before = key.text(TrackerConfig())
            let value = samples[key.path] ?? (before == "true" ? "false" : before == "false" ? "true" : "7")
            let resolved = try ConfigTable.resolve([ConfigEntry(path: key.path, text: value, line: 1)])
            #expect(resolved.config != TrackerConfig(), "\(key.path)")
            let shown = key.text(resolved.config)
            #expect(shown == value || value.hasPrefix("0x"), "\(key.path): \(shown)")
        }
    }

    @Test("A modem that is switched by programs needs both; each that is missing is named")
    func modemPower() throws {
        let port = ("link.atDevice", "/dev/ttyUSB2")
        let programs = [("link.powerOnCommand", "/bin/on"), ("link.powerOffCommand", "/bin/off")]
        let power = ("link.modemPower", "command")
        #expect(try ConfigTable.resolve(entries([port, power] + programs)).config.modemPower == .command)
        do throws(ConfigFailure) {
            _ = try ConfigTable.resolve(entries([power]))
            Issue.record("neither is there")
        } catch { #expect(error.problems.count == 2) }
        #expect(throws: ConfigFailure.self) { try ConfigTable.resolve(entries([("link.atDevice", "ttyUSB2")])) }
    }

    @Test("ModemManager is asked where no command port is named, and switches no modem that it is not asked for")
    func modemManager() throws {
        let port = ("link.atDevice", "/dev/ttyUSB2")
        let off = ("link.modemManager", "off")
        let power = ("link.modemPower", "modemManager")
        #expect(try ConfigTable.resolve([]).config.asksModemManager)
        #expect(try !ConfigTable.resolve(entries([port])).config.asksModemManager)
        #expect(try !ConfigTable.resolve(entries([off])).config.asksModemManager)
        #expect(try ConfigTable.resolve(entries([power])).config.modemPower == .modemManager)
        #expect(throws: ConfigFailure.self) { try ConfigTable.resolve(entries([power, port])) }
        #expect(throws: ConfigFailure.self) { try ConfigTable.resolve(entries([power, off])) }
    }

    @Test("A client certificate goes with its key, and both are paths")
    func clientCertificate() throws {
        func resolve(_ entries: [(String, String)]) throws(ConfigFailure) -> TLSFiles {
            try ConfigTable.resolve(entries.map { ConfigEntry(path: $0.0, text: $0.1, line: 1) }).config.tls
        }
        let certificate = ("upload.clientCertificate", "/etc/tracker/own.pem")
        let key = ("upload.clientKey", "/etc/tracker/own.key")
        let expected = TLSFiles(certificate: "/etc/tracker/own.pem", key: "/etc/tracker/own.key")
        #expect(try resolve([certificate, key]) == expected)
        #expect(throws: ConfigFailure.self) { try resolve([certificate]) }
        #expect(throws: ConfigFailure.self) { try resolve([key]) }
        #expect(throws: ConfigFailure.self) { try resolve([certificate, ("upload.clientKey", "own.key")]) }
    }

    @Test("A modem's power key needs the line, and a modem that is watched")
    func modemKey() throws {
        let port = ("link.atDevice", "/dev/ttyUSB2")
        let power = ("link.modemPower", "gpio")
        let key = ("link.powerKeyLine", "GPIO4")
        #expect(try ConfigTable.resolve(entries([port, power, key])).config.modemPower == .gpio)
        #expect(throws: ConfigFailure.self) { try ConfigTable.resolve(entries([port, power])) }
        #expect(throws: ConfigFailure.self) {
            try ConfigTable.resolve(entries([power, key, ("link.modemManager", "off")]))
        }
    }

    @Test("Crossings are uploaded in the one format that has words for them")
    func crossings() throws {
        let pairs = [("upload.geofenceEvents", "true"), ("upload.format", "owntracks"), ("device.id", "cart-7")]
        #expect(try ConfigTable.resolve(entries(pairs)).config.sync.sendsCrossings)
    }

    @Test("The receiver is a path, found by itself, or behind a gpsd; the clock's socket is a path")
    func receiverAndClock() {
        func accepts(_ path: String, _ text: String) -> Bool {
            (try? ConfigTable.resolve(entries([(path, text)]))) != nil
        }
        for device in ["auto", "/dev/gnss0", "gpsd://localhost", "gpsd://[::1]:2947", "gpsd://boat.local:1"] {
            #expect(accepts("gnss.device", device), "\(device)")
        }
        for device in ["", "gpsd", "gpsd://", "gpsd://x:0", "gpsd://x:y", "gpsd://x/dev/ttyS0", "tcp://x", "ttyS0"] {
            #expect(!accepts("gnss.device", device), "\(device)")
        }
        #expect(accepts("time.chronySocket", ""))
        #expect(!accepts("time.chronySocket", "chrony.sock"))
        #expect(!accepts("time.chronySocket", "/" + String(repeating: "x", count: 107)))
    }

    @Test(
        "An accuracy profile moves the ceiling and the trust, and nothing else",
        arguments: [
            ([("geolocation.accuracy.profile", "strict")], 20, 15),
            ([("geolocation.accuracy.profile", "relaxed")], 60, 40),
            (
                [("geolocation.accuracy.profile", "custom"), ("geolocation.accuracy.maxAccuracyMeters", "12")], 12, 12
            ), ([], 30, 25),
        ] as [([(String, String)], Double, Double)])
    func profiles(pairs: [(String, String)], ceiling: Double, trust: Double) throws {
        let pipeline = try ConfigTable.resolve(entries(pairs)).config.capture.pipeline
        #expect(pipeline.maxAccuracyM == ceiling && pipeline.recoveryTrustM == trust)
    }

    @Test("A shorter interval while moving shortens the one in turns, without being asked")
    func turnBurstFollows() throws {
        let capture = try ConfigTable.resolve(entries([("geolocation.vehicularIntervalMs", "2000")])).config.capture
        #expect(capture.turnBurstIntervalMillis == 2_000)
    }
}
