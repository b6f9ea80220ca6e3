import Glibc
import Ports
import Testing
import TrackerModel

@testable import TrackerStore

/// A directory of its own for one test, removed when the value goes.
final class ScratchDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/tracker-store-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }
        path = String(cString: try #require(made))
    }

    var database: String { path + "/tracker.db" }

    func names() -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    deinit {
        for name in names() { unlink(path + "/" + name) }
        rmdir(path)
    }
}

func readFile(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
}

func writeFile(_ path: String, _ bytes: [UInt8]) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

let session = Session(id: "5f1c7c2e-0000-4000-8000-000000000001", startedAt: UTCTime(millis: 1_700_000_000_000))

func samplePoint(_ number: Int, session id: String = session.id) -> TrackPoint {
    TrackPoint(
        uuid: "uuid-\(number)", sessionID: id, time: UTCTime(millis: 1_700_000_000_000 + Int64(number) * 1_000),
        instant: Instant(millis: Int64(number) * 1_000), bootID: "boot", localDate: "2023-11-14", timeZone: "UTC",
        latitudeE7: 520_000_000 + Int32(number), longitudeE7: -130_000_000, accuracyMM: 5_000, altitudeMM: nil,
        speedMMps: 1_500, bearingCentideg: 9_000, hasSpeed: true, hasBearing: false, provider: .gnss, isMock: false,
        movement: .moving, acceptReason: .movingWalking, odometerMM: Int64(number) * 1_500, batteryPercent: nil,
        isCharging: nil)
}

func sampleDecision(_ number: Int) -> Decision {
    Decision(
        time: UTCTime(millis: Int64(number)), instant: Instant(millis: Int64(number)), latitudeE7: 1, longitudeE7: 2,
        accuracyMM: 3, verdict: .accept, reason: .vehicular, distanceMM: 4, speedMMps: 5, motion: .moving)
}

func sampleRecord(_ number: Int) -> FixRecord {
    FixRecord(
        sessionID: session.id, decision: sampleDecision(number), point: samplePoint(number),
        captureState: "state-\(number)")
}

/// A store in memory with `session` open.
func memoryStore() throws -> SQLiteStore {
    let store = try SQLiteStore(path: ":memory:")
    try store.begin(session)
    return store
}
