import MotionSensing
import Ports
import Recordings
import TrackerModel
import WireText

extension Runtime {
    /// Newest fixes of a session in one fixture, at most: the answer is held in memory whole.
    static let mostFixtureFixes = 5_000

    /// A fixture of a session's raw fixes, oldest first; none where layer 1 is off.
    func fixture(sessionID: String, name: String) throws(StoreFailure) -> Fixture {
        // One more than is kept tells whether there are more.
        let rows = try ports.store.rawFixes(LayerPage(sessionID: sessionID, limit: Self.mostFixtureFixes + 1))
        let fixes = rows.prefix(Self.mostFixtureFixes).reversed().map { LocationLine($0) }
        var fixture = Fixture(
            name: name, recordedAt: fixes.first?.time ?? utcNow, device: deviceFacts,
            config: ConfigTable.snapshot(config), fixes: fixes)
        fixture.isTruncated = rows.count > fixes.count
        return fixture
    }

    private var deviceFacts: JSONObject {
        var device = JSONObject()
        device["model"] = host.model.map { .string($0) }
        device["os"] = host.operatingSystem.map { .string($0) }
        device["receiver"] = receiver.care.identity.map { .string($0.model ?? $0.family.rawValue) }
        device["firmware"] = receiver.care.identity?.firmware.map { .string($0) }
        device["accel"] = (accelerometer?.model).map { .string($0) }
        return device
    }
}
