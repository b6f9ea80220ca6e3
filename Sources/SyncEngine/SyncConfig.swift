/// The part of the configuration that the uploader reads (spec sync §8). Ranges are checked by the configuration table.
public struct SyncConfig: Equatable, Sendable {
    /// `nil`: nothing is uploaded.
    public var url: String?
    public var method = "POST"
    /// In order of the file; never logged, never shown.
    public var headers: [(name: String, value: String)] = []
    public var autoSync = true
    public var payload = PayloadConfig()
    public var batchSize = 100
    public var maxBodyBytes = 262_144
    public var coalesceMillis: Int64 = 60_000
    public var backoffInitialMillis: Int64 = 30_000
    public var backoffCeilingMillis: Int64 = 1_800_000
    public var connectTimeoutSec = 5
    public var totalTimeoutSec = 120

    public init() {}

    /// Certificates are checked, which takes a clock.
    public var isSecure: Bool { url.map { $0.hasPrefix("https://") || $0.hasPrefix("mqtts://") } ?? false }

    public static func == (a: Self, b: Self) -> Bool {
        a.url == b.url && a.method == b.method && a.headers.elementsEqual(b.headers, by: ==) && a.autoSync == b.autoSync
            && a.payload == b.payload
            && a.batchSize == b.batchSize && a.maxBodyBytes == b.maxBodyBytes && a.coalesceMillis == b.coalesceMillis
            && a.backoffInitialMillis == b.backoffInitialMillis && a.backoffCeilingMillis == b.backoffCeilingMillis
            && a.connectTimeoutSec == b.connectTimeoutSec && a.totalTimeoutSec == b.totalTimeoutSec
    }
}
