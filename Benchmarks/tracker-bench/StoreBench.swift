import CLinux
import Glibc
import Ports
import TrackerModel
import TrackerStore
import WireText

/// The cost of the store: commits one after the other, on an empty database or behind a long queue, and opening it.
enum StoreBench {
    private static let session = Session(
        id: "5f1c7c2e-0000-4000-8000-000000000001", startedAt: UTCTime(millis: 1_700_000_000_000))

    /// Opens what is there, and commits points, each with its decision and the engine's state.
    static func run(_ path: String, commits: Int) throws(StoreFailure) -> JSONObject {
        let start = clock()
        let store = try SQLiteStore(path: path)
        let openNanos = clock() - start
        if try store.openSession() == nil { try store.begin(session) }
        let first = Int(try store.queueSummary().stored) + 1
        let writes = store.writes
        var times: [Int64] = []
        for number in first..<(first + commits) {
            let before = clock()
            _ = try store.commit(record(number))
            times.append(clock() - before)
        }
        times.sort()
        let after = store.writes
        store.close()
        return [
            "openNanos": .int(openNanos), "commits": .int(Int64(commits)), "rows": .int(Int64(first - 1)),
            "p50Nanos": .int(times[times.count / 2]), "p99Nanos": .int(times[times.count * 99 / 100]),
            "pages": .int(after.pages - writes.pages), "checkpoints": .int(after.checkpoints - writes.checkpoints),
        ]
    }

    private static func clock() -> Int64 { linux_clock_nanos(CLOCK_MONOTONIC) }

    private static func record(_ number: Int) -> FixRecord {
        let time = UTCTime(millis: 1_700_000_000_000 + Int64(number) * 1_000)
        let instant = Instant(millis: Int64(number) * 1_000)
        // As scattered as a digest.
        var bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        bits ^= bits >> 29
        let digits = String(bits, radix: 16)
        let point = TrackPoint(
            uuid: String((digits + "0123456789abcdef0123456789abcdef01234567").prefix(40)), sessionID: session.id,
            time: time, instant: instant, bootID: "6d0ea04f-3f5b-4d0a-9d6e-000000000001", localDate: "2023-11-14",
            timeZone: "UTC", latitudeE7: 520_000_000 + Int32(number % 1_000_000), longitudeE7: -130_000_000,
            accuracyMM: 5_000, altitudeMM: 440_000, speedMMps: 11_500, bearingCentideg: 9_000, hasSpeed: true,
            hasBearing: true, provider: .gnss, isMock: false, movement: .moving, acceptReason: .vehicular,
            odometerMM: Int64(number) * 11_500, batteryPercent: 80, isCharging: false)
        let decision = Decision(
            time: time, instant: instant, latitudeE7: 520_000_000, longitudeE7: -130_000_000, accuracyMM: 5_000,
            verdict: .accept, reason: .vehicular, distanceMM: 11_500, speedMMps: 11_500, motion: .moving)
        return FixRecord(
            sessionID: session.id, decision: decision, point: point,
            captureState: String(repeating: "s", count: 600), legMM: 11_500)
    }
}
