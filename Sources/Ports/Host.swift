public import TrackerModel

/// A field of a log line. Keys carry their unit: `age_ms=4200`.
public enum LogValue: Sendable {
    case int(Int64)
    case text(String)
}

public enum LogLevel: Int, Sendable {
    /// journald priorities (syslog levels).
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
}

/// Where the runtime reports to people: an event name and fields, no positions or credentials above debug.
public protocol LogSink: AnyObject {
    func write(_ level: LogLevel, _ event: String, _ fields: [(String, LogValue)])
}

/// The service manager (`sd_notify`); does nothing where there is none.
public protocol Supervisor: AnyObject {
    /// Within which it wants to hear `alive`, milliseconds; `nil` when it does not watch.
    var watchdogIntervalMillis: Int64? { get }
    func ready()
    func status(_ text: String)
    /// The watchdog's sign of life.
    func alive()
    func stopping()
}

/// Hashes from the system's library.
public protocol Digests: AnyObject {
    func sha1(_ bytes: [UInt8]) -> [UInt8]
    func sha256(_ bytes: [UInt8]) -> [UInt8]
}

/// Calendar dates in the device's zone.
public protocol ZoneCalendar: AnyObject {
    /// The IANA id in force; `UTC` when the configured one is not known to the system.
    var zoneID: String { get }
    /// `yyyy-MM-dd` in the zone.
    func localDate(of time: UTCTime) -> String
}

/// Keeps the last status snapshot where the operator's tool finds it while the daemon is down. Best effort.
public protocol SnapshotSink: AnyObject {
    func save(_ snapshot: [UInt8])
}

/// What identifies this boot and this process.
public struct HostFacts: Equatable, Sendable {
    /// The kernel's boot UUID.
    public var bootID: String
    public var version: String
    public var processID: Int32
    /// How many times faster than real time the reactor's clock runs; 1 on a device.
    public var timeScale: Double
    /// Receiver dates of more than a day before it are a week rollover; `nil` for the date this program was built.
    public var buildDate: UTCTime?
    /// Who this process runs as; beside root, who may change credentials.
    public var userID: UInt32
    /// The board and its system in words, for exports.
    public var model: String?
    public var operatingSystem: String?

    public init(
        bootID: String, version: String, processID: Int32, timeScale: Double, buildDate: UTCTime? = nil,
        userID: UInt32 = 0
    ) {
        self.userID = userID
        self.bootID = bootID
        self.version = version
        self.processID = processID
        self.timeScale = timeScale
        self.buildDate = buildDate
    }
}
