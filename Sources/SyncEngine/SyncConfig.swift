import TrackerModel

/// The part of the configuration that the uploader reads (spec sync §8). Ranges are checked by the configuration table.
public struct SyncConfig: Equatable, Sendable {
    /// What leaves first when more than one batch waits.
    public enum Order: String, Sendable, CaseIterable {
        case oldestFirst
        /// The newest point alone, then the backlog, oldest first.
        case newestFirst
    }

    public static let methods = ["POST", "PUT", "PATCH"]

    /// `nil`: nothing is uploaded.
    public var url: String?
    public var method = "POST"
    /// In order of the file; never logged, never shown.
    public var headers: [SyncHeader] = []
    /// Where further header lines come from; empty: nowhere.
    public var credentialFile = ""
    public var systemdCredential = ""
    public var credentialEnvironment = ""
    public var payload = PayloadConfig()
    public var autoSync = true
    public var batchSize = 100
    public var maxBodyBytes = 262_144
    public var order = Order.oldestFirst
    /// Queued rows beyond it are dropped, oldest first; 0 = none are.
    public var maxQueueRows: Int64 = 500_000
    public var coalesceMillis: Int64 = 60_000
    /// Rows that are worth a radio session; 0 = by tier.
    public var minBatch: Int64 = 0
    /// Bytes up and down of a UTC day after which only what is urgent is sent; 0 = any number.
    public var dailyByteBudget: Int64 = 0
    public var backoffInitialMillis: Int64 = 30_000
    public var backoffCeilingMillis: Int64 = 1_800_000
    public var connectTimeoutSec = 5
    public var totalTimeoutSec = 120
    /// No attempt without a default route.
    public var requiresNetwork = true
    public var allowsMetered = true
    /// The oldest row may be this old before a metered link is used after all.
    public var meteredGraceMillis: Int64 = 86_400_000
    /// Interface names, comma separated; `*` at the end stands for the rest.
    public var meteredInterfaces = "wwan*,ppp*"
    /// Crossings of fences are uploaded too.
    public var sendsCrossings = false
    public var wipesOnAuthExpiry = false
    public var stopsTrackingOnAuthExpiry = false

    public init() {}

    /// Certificates are checked, which takes a clock.
    public var isSecure: Bool { url.map { $0.hasPrefix("https://") || $0.hasPrefix("mqtts://") } ?? false }

    /// The endpoint is an MQTT broker.
    public var isBroker: Bool { url.map { $0.hasPrefix("mqtt://") || $0.hasPrefix("mqtts://") } ?? false }

    /// The endpoint is this host: it needs no route.
    public var isLoopback: Bool { url.flatMap { HostName.of($0) }.map { HostName.isLoopback($0) } ?? false }

    public func isMetered(_ interface: String) -> Bool {
        meteredInterfaces.split(separator: ",").contains { pattern in
            let name = pattern.filter { $0 != " " }
            return name.hasSuffix("*") ? interface.hasPrefix(name.dropLast()) : interface == name
        }
    }
}

/// One request header; the value may be a credential.
public struct SyncHeader: Equatable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
