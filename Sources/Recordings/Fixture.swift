public import TrackerModel
public import WireText

/// Fixes with what should be decided about them (spec capture §15): one JSON object that is exported from a device,
/// completed by hand and judged again.
public struct Fixture: Equatable, Sendable {
    public static let version: Int64 = 1

    /// What should become of one fix.
    public struct Expectation: Equatable, Sendable {
        /// Place among the fixes, from 0.
        public var index: Int
        public var verdict: Verdict
        public var reason: DecisionReason

        public init(index: Int, verdict: Verdict, reason: DecisionReason) {
            self.index = index
            self.verdict = verdict
            self.reason = reason
        }
    }

    public var name: String
    public var recordedAt: UTCTime
    /// About the device, for people.
    public var device: JSONObject
    /// The configuration it was recorded with: keys of the configuration file and their text.
    public var config: JSONObject
    public var fixes: [LocationLine]
    /// There were older fixes, which were left out.
    public var isTruncated = false
    public var expected: [Expectation]

    public init(name: String, recordedAt: UTCTime, device: JSONObject, config: JSONObject, fixes: [LocationLine]) {
        self.name = name
        self.recordedAt = recordedAt
        self.device = device
        self.config = config
        self.fixes = fixes
        expected = []
    }

    /// Boots are named: only they tell that the clock has started again.
    public var knowsBoots: Bool { fixes.contains { $0.bootID != nil } }

    public var json: JSONValue {
        var object: JSONObject = [
            "version": .int(Self.version), "name": .string(name), "recordedAtMs": .int(recordedAt.millis),
            "device": .object(device), "config": .object(config),
            "fixes": .array(fixes.map(\.fixtureJSON)),
            "expected": .array(
                expected.map {
                    [
                        "i": .int(Int64($0.index)), "verdict": .string($0.verdict.rawValue),
                        "reason": .string($0.reason.rawValue),
                    ]
                }),
        ]
        if isTruncated { object["truncated"] = true }
        return .object(object)
    }

    /// - Parameter fileName: for the words of a failure.
    public init(_ bytes: [UInt8], fileName: String) throws(RecordingFailure) {
        func failure(_ message: String) -> RecordingFailure { RecordingFailure(name: fileName, message: message) }
        let json: JSONValue
        do throws(JSONFailure) { json = try JSONReader.parse(bytes) } catch {
            throw failure("no JSON at byte \(error.offset + 1): \(error.message)")
        }
        guard let version = json["version"]?.intValue, let fixes = json["fixes"]?.arrayValue else {
            throw failure("a fixture has version and fixes, this has not")
        }
        guard version == Self.version else {
            throw failure("version \(version) of fixtures; this program reads \(Self.version)")
        }
        name = json["name"]?.stringValue ?? fileName
        recordedAt = UTCTime(millis: json["recordedAtMs"]?.intValue ?? 0)
        device = json["device"]?.objectValue ?? [:]
        config = json["config"]?.objectValue ?? [:]
        isTruncated = json["truncated"]?.boolValue ?? false
        self.fixes = []
        for (index, fix) in fixes.enumerated() {
            guard let object = fix.objectValue else { throw failure("fixes[\(index)] is no object") }
            let place = RecordedObject(name: "\(fileName), fixes[\(index)]", line: nil, object: object)
            self.fixes.append(try LocationLine(fixture: place))
        }
        expected = []
        for (index, row) in (json["expected"]?.arrayValue ?? []).enumerated() {
            guard let fix = row["i"]?.intValue, fixes.indices.contains(Int(clamping: fix)) else {
                throw failure("expected[\(index)]: i is not the number of a fix, 0 to \(fixes.count - 1)")
            }
            guard let verdict = row["verdict"]?.stringValue.flatMap(Verdict.init(rawValue:)) else {
                throw failure("expected[\(index)]: verdict is none of ACCEPT, SKIP, REJECT")
            }
            guard let reason = row["reason"]?.stringValue.flatMap(DecisionReason.init(rawValue:)) else {
                throw failure("expected[\(index)]: there is no reason '\(row["reason"]?.stringValue ?? "")'")
            }
            expected.append(Expectation(index: Int(fix), verdict: verdict, reason: reason))
        }
    }
}
