import TestKit
import Testing
import TrackerModel
import WireText

@testable import SyncEngine

/// Our bodies beside requests that the servers' own tests accept: the same keys, types and units.
@Suite("Formats beside the servers' examples", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct ServerExampleTests {
    /// Keys of one value, dotted, with the kind of each.
    private static func kinds(_ value: JSONValue, below prefix: String = "") -> [String: String] {
        guard let object = value.objectValue else { return [prefix: kind(value)] }
        return object.names.reduce(into: [:]) { result, name in
            let path = prefix.isEmpty ? name : prefix + "." + name
            for (key, kind) in kinds(object[name] ?? .null, below: path) { result[key] = kind }
        }
    }

    private static func kind(_ value: JSONValue) -> String {
        switch value {
        case .bool: "flag"
        case .int, .fixed, .double: "number"
        case .string: "text"
        default: "other"
        }
    }

    private static func lines(_ path: String) throws -> [JSONValue] {
        let text = try SharedData.requireText(path)
        try #require(text.utf8.count > 100)
        return try text.split(separator: "\n").map { try JSONReader.parse(String($0)) }
    }

    @Test("osmand-json has every key of the examples with their types, and no other")
    func osmandJSON() throws {
        var point = FormatFixtures.full
        point.acceptReason = .arrival
        let ours = try Self.kinds(FormatFixtures.json(OsmAndJSONFormat(deviceID: "48241179"), point))
        for example in try Self.lines("protocols/osmand-json-posts.jsonl") {
            // What a tracker adds for itself, and the template it was made from.
            let theirs = Self.kinds(example).filter {
                !$0.key.hasPrefix("location.extras") && $0.key != "location._"
            }
            #expect(ours == theirs)
            #expect(example["location.coords.heading"]?.intValue == -1, "an unknown heading")
            let level = try #require(example["location.battery.level"]?.doubleValue)
            #expect((0...1).contains(level))
        }
    }

    @Test("owntracks agrees with the examples in the type of every key that both have, and has their required ones")
    func ownTracks() throws {
        let ours = try Self.kinds(
            FormatFixtures.json(OwnTracksFormat(user: "u", deviceID: "JJ"), FormatFixtures.full))
        for example in try Self.lines("protocols/owntracks.jsonl") {
            let theirs = Self.kinds(example)
            for key in ["_type", "lat", "lon", "tst", "tid"] { #expect(theirs[key] != nil && ours[key] == theirs[key]) }
            for (key, kind) in theirs where key != "vac" { #expect(ours[key] == kind, "\(key)") }
        }
    }

    @Test("osmand uses the parameters of the examples, in whole seconds and with an id")
    func osmand() throws {
        let text = try #require(SharedData.text("protocols/osmand-requests.json"))
        var names: Set<String> = []
        for row in try JSONReader.parse(text).arrayValue ?? [] where row["expect"]?.stringValue == "Position" {
            let query = try #require(row["request"]?.stringValue).drop { $0 != "?" }.dropFirst()
            names.formUnion(query.split(separator: "&").map { String($0.prefix { $0 != "=" }) })
        }
        let ours = FormatFixtures.text(OsmAndFormat(deviceID: "123456"), FormatFixtures.full)
        let pairs = ours.split(separator: "&").map { $0.split(separator: "=") }
        // The examples say nothing of these: the server's documentation does.
        let documented: Set<String> = ["accuracy", "batt", "charge"]
        for pair in pairs { #expect(names.union(documented).contains(String(pair[0])), "\(pair[0])") }
        let time = try #require(pairs.first { $0[0] == "timestamp" })
        #expect(Int64(time[1]) == 1_777_900_000)
        #expect(pairs.first?[0] == "id")
    }
}
