import SyncEngine
import TrackerEngine
import TrackerModel
import TrackerRuntime

/// A configuration that somebody would choose, and the battery that it meets.
public struct Mode: Sendable {
    public let name: String
    let batteryPercent: Int
    let change: @Sendable (inout TrackerConfig) -> Void

    init(
        _ name: String, batteryPercent: Int = 80, _ change: @escaping @Sendable (inout TrackerConfig) -> Void = { _ in }
    ) {
        self.name = name
        self.batteryPercent = batteryPercent
        self.change = change
    }

    /// Explained in the page, by `scripts/frontier`.
    public static let all = [
        Mode("default"),
        Mode("fine") {
            $0.capture.navigationMode = true
            $0.capture.navigationIntervalMillis = 3_000
            $0.capture.stopTimeoutMillis = 60_000
            $0.sync.coalesceMillis = 300_000
        },
        Mode("shape") {
            $0.capture.rule = .geometry
            $0.capture.stopTimeoutMillis = 60_000
            $0.sync.coalesceMillis = 300_000
        },
        Mode("long life") {
            $0.capture.rule = .geometry
            $0.capture.geometryToleranceM = 30
            $0.capture.stopTimeoutMillis = 60_000
            $0.whileMoving = .cyclic
            $0.accelRateHz = 25
            $0.backstopMillis = 21_600_000
            $0.sync.coalesceMillis = 900_000
        },
        Mode("months") {
            $0.whileMoving = .rest
            $0.capture.vehicularIntervalMillis = 120_000
            $0.capture.stopTimeoutMillis = 60_000
            $0.backstopMillis = 21_600_000
            $0.power.criticalBelowPercent = 100
            $0.accelRateHz = 25
        },
        Mode("tier saver", batteryPercent: 25),
        Mode("tier critical", batteryPercent: 12),
    ]
}
