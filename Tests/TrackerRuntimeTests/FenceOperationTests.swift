import Ports
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Fences for the operator")
struct FenceOperationTests {
    private func ask(_ bench: RuntimeBench, _ op: String, _ arguments: String = "{}") throws -> JSONValue {
        try #require(try bench.answer(Array(#"{"id":1,"op":"\#(op)","args":\#(arguments)}"#.utf8)))
    }

    private func started() throws -> RuntimeBench {
        let bench = RuntimeBench()
        try bench.runtime.start()
        return bench
    }

    private let home = #"{"id":"home","latitude":47.05,"longitude":8.3,"radiusM":100}"#

    @Test("A fence is armed with its defaults, listed, replaced, and removed (E-158)")
    func life() throws {
        let bench = try started()
        let added = try ask(bench, "addGeofence", home)
        #expect(
            added["result"]?.text
                == #"{"id":"home","latitude":47.05,"longitude":8.3,"radiusM":100.0,"notifyOnEntry":true,"notifyOnExit":true}"#
        )
        let dwell =
            #"{"id":"home","latitude":47,"longitude":8,"radiusM":50,"notifyOnEntry":false,"dwellAfterMs":600000}"#
        #expect(try ask(bench, "addGeofence", dwell)["ok"] == true)
        let listed = try #require(try ask(bench, "getGeofences")["result"]?.arrayValue)
        #expect(listed.count == 1 && listed[0]["dwellAfterMs"] == 600_000 && listed[0]["notifyOnEntry"] == false)
        #expect(listed[0]["inside"] == false)
        #expect(bench.events.count { if case .geofenceAdded = $0 { true } else { false } } == 2)
        #expect(try ask(bench, "removeGeofence", #"{"id":"home"}"#)["result.removed"] == true)
        #expect(bench.events.contains(.geofenceRemoved(id: "home")))
        #expect(try ask(bench, "getGeofences")["result"] == .array([]))
    }

    @Test("An unknown id removed: false, and nobody is told (E-159)")
    func unknown() throws {
        let bench = try started()
        let before = bench.events.count
        #expect(try ask(bench, "removeGeofence", #"{"id":"nowhere"}"#)["result.removed"] == false)
        #expect(bench.events.count == before)
        #expect(try ask(bench, "removeGeofence")["code"] == "invalidRequest")
    }

    @Test("10 000 fences at most: one more is refused, a known one replaced, and of older ones no more are watched")
    func most() throws {
        let store = MemoryStore()
        for number in 0..<10_003 {
            let fence = Geofence(id: "fence-\(10_000 + number)", latitudeE7: 1, longitudeE7: 2, radiusMM: 200_000)
            _ = try store.arm(fence, at: RuntimeBench.epoch)
        }
        let bench = RuntimeBench(store: store)
        try bench.runtime.start()
        #expect(bench.status["geofences.armed"] == 10_000)
        #expect(
            bench.events.contains {
                if case .diagnostic(let text) = $0 { text.hasPrefix("geofences_not_watched:3:") } else { false }
            })
        let refused = try ask(bench, "addGeofence", home)
        #expect(refused["code"] == "invalidConfig")
        #expect(store.armedFences["home"] == nil)
        #expect(try ask(bench, "addGeofence", home.replacing("home", with: "fence-10000"))["ok"] == true)
        #expect(try ask(bench, "removeGeofence", #"{"id":"fence-10001"}"#)["result.removed"] == true)
        #expect(try ask(bench, "addGeofence", home)["ok"] == true)
        #expect(bench.status["geofences.armed"] == 10_000)
    }

    @Test("All are removed with one event each, and counted")
    func all() throws {
        let bench = try started()
        for id in ["c", "a", "b"] {
            _ = try ask(bench, "addGeofence", #"{"id":"\#(id)","latitude":47,"longitude":8,"radiusM":50}"#)
        }
        #expect(try ask(bench, "removeAllGeofences")["result.removed"] == 3)
        let removed = bench.events.compactMap { if case .geofenceRemoved(let id) = $0 { id } else { nil } }
        #expect(removed == ["a", "b", "c"])
        #expect(try ask(bench, "removeAllGeofences")["result.removed"] == 0)
    }

    @Test("Everything that is wrong is said at once, and nothing is armed")
    func refusals() throws {
        let bench = try started()
        let worst =
            #"{"id":" ","latitude":"x","longitude":181,"radiusM":0,"notifyOnEntry":false,"notifyOnExit":"no","dwellAfterMs":0}"#
        let reply = try ask(bench, "addGeofence", worst)
        #expect(reply["code"] == "invalidConfig")
        let problems = reply["message"]?.stringValue?.split(separator: "\n").map { $0.prefix { $0 != ":" } } ?? []
        #expect(problems == ["id", "latitude", "longitude", "radiusM", "notifyOnExit", "dwellAfterMs"])
        #expect(try ask(bench, "getGeofences")["result"] == .array([]))
        #expect(try ask(bench, "addGeofence", #"{"name":"x"}"#)["code"] == "invalidRequest")
    }

    @Test(
        "Each rule of what is refused",
        arguments: [
            (#"{"latitude":47,"longitude":8,"radiusM":50}"#, "id"),
            (#"{"id":7,"latitude":47,"longitude":8,"radiusM":50}"#, "id"),
            (#"{"id":"tracker.stationary","latitude":47,"longitude":8,"radiusM":50}"#, "own"),
            (#"{"id":"a\nb","latitude":47,"longitude":8,"radiusM":50}"#, "line break"),
            (#"{"id":"a","latitude":90.0000001,"longitude":8,"radiusM":50}"#, "latitude"),
            (#"{"id":"a","latitude":-90.0000001,"longitude":8,"radiusM":50}"#, "latitude"),
            (#"{"id":"a","latitude":47,"longitude":-180.0000001,"radiusM":50}"#, "longitude"),
            (#"{"id":"a","latitude":0,"longitude":0,"radiusM":50}"#, "0, 0"),
            (#"{"id":"a","latitude":47,"longitude":8}"#, "radiusM: missing"),
            (#"{"id":"a","latitude":47,"longitude":8,"radiusM":-1}"#, "radiusM"),
            (
                #"{"id":"a","latitude":47,"longitude":8,"radiusM":50,"notifyOnEntry":false,"notifyOnExit":false}"#,
                "both"
            ),
            (#"{"id":"a","latitude":47,"longitude":8,"radiusM":50,"dwellAfterMs":-1}"#, "dwellAfterMs"),
            (#"{"id":"a","latitude":47,"longitude":8,"radiusM":50,"dwellAfterMs":1.5}"#, "dwellAfterMs"),
            (
                #"{"id":"a","latitude":47,"longitude":8,"radiusM":50,"dwellAfterMs":9223372036854775807}"#,
                "dwellAfterMs"
            ),
        ])
    func refused(arguments: String, word: String) throws {
        let reply = try ask(try started(), "addGeofence", arguments)
        #expect(reply["code"] == "invalidConfig")
        #expect(reply["message"]?.stringValue?.contains(word) == true, "\(reply.text)")
    }

    @Test("The id is at most 128 bytes")
    func longID() throws {
        let bench = try started()
        for (count, isTaken) in [(128, true), (129, false)] {
            let id = String(repeating: "x", count: count)
            let reply = try ask(bench, "addGeofence", #"{"id":"\#(id)","latitude":47,"longitude":8,"radiusM":50}"#)
            #expect(reply["ok"]?.boolValue == isTaken)
        }
    }

    @Test("A stay alone may be asked for, and the edges of the coordinates are places")
    func accepted() throws {
        let bench = try started()
        let alone =
            #"{"id":"a","latitude":-90,"longitude":180,"radiusM":50,"notifyOnEntry":false,"notifyOnExit":false,"dwellAfterMs":1}"#
        #expect(try ask(bench, "addGeofence", alone)["ok"] == true)
        #expect(
            try ask(
                bench, "addGeofence", #"{"id":"b","latitude":90,"longitude":-180,"radiusM":50,"dwellAfterMs":null}"#)[
                    "ok"] == true)
    }

    @Test(
        "The radius is brought into 5 m to 100 km, and below 30 m a diagnostic says so (E-163)",
        arguments: [
            ("1", 5_000, true), ("10", 10_000, true), ("29.9", 29_900, true), ("30", 30_000, false),
            ("1e9", 100_000_000, false),
        ] as [(String, Int64, Bool)])
    func radius(asked: String, millimetres: Int64, isDoubtful: Bool) throws {
        let bench = try started()
        let reply = try ask(bench, "addGeofence", #"{"id":"a","latitude":47,"longitude":8,"radiusM":\#(asked)}"#)
        #expect(reply["result.radiusM"]?.doubleValue == Double(millimetres) / 1_000)
        #expect((reply["result.warning"] != nil) == isDoubtful)
        let diagnostics = bench.events.compactMap { if case .diagnostic(let text) = $0 { text } else { nil } }
        #expect(diagnostics.contains { $0.hasPrefix("geofence_radius_below_reliable_minimum") } == isDoubtful)
        #expect(bench.store.armedFences["a"]?.fence.radiusMM == millimetres)
    }

    @Test("The history is told newest first, of one or of all, and deleted only when asked (E-171)")
    func history() throws {
        let bench = try started()
        bench.play(2, speedMps: 0)
        _ = try ask(bench, "addGeofence", home)
        _ = try ask(bench, "addGeofence", home.replacing("home", with: "cellar"))
        _ = try ask(bench, "removeAllGeofences")
        let all = try #require(try ask(bench, "getGeofenceEvents")["result"]?.arrayValue)
        #expect(all.compactMap { $0["fenceID"]?.stringValue } == ["cellar", "home"])
        #expect(all.allSatisfy { $0["kind"] == "enter" && $0["late"] == false && $0["radiusM"]?.doubleValue == 100 })
        #expect(try ask(bench, "getGeofenceEvents", #"{"limit":1}"#)["result"]?.arrayValue?.count == 1)
        #expect(try ask(bench, "getGeofenceEvents", #"{"id":"home"}"#)["result"]?.arrayValue?.count == 1)
        for bad in [#"{"limit":0}"#, #"{"limit":5001}"#, #"{"limit":"x"}"#, #"{"id":7}"#] {
            #expect(try ask(bench, "getGeofenceEvents", bad)["code"] == "invalidRequest", "\(bad)")
        }
        #expect(try ask(bench, "deleteGeofenceEvents", #"{"id":7}"#)["code"] == "invalidRequest")
        #expect(try ask(bench, "deleteGeofenceEvents", #"{"id":"home"}"#)["result.deleted"] == 1)
        #expect(try ask(bench, "deleteGeofenceEvents")["result.deleted"] == 1)
        #expect(try ask(bench, "getGeofenceEvents")["result"] == .array([]))
    }

    @Test("What the store refuses is refused, with its reason, and nothing is watched or told")
    func storeRefuses() throws {
        let bench = try started()
        bench.store.refusal = StoreFailure(code: .full, cause: "the disk is full", remedy: "free space")
        let reply = try ask(bench, "addGeofence", home)
        #expect(reply["code"] == "storageFull" && reply["message"]?.stringValue?.contains("free space") == true)
        bench.play(2, speedMps: 0)
        #expect(!bench.events.contains { if case .geofenceAdded = $0 { true } else { false } })
        #expect(bench.status["geofences"] == nil)
    }

    @Test(
        "Circles of another program contain what that program says they contain",
        .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
    func circles() throws {
        let bytes = try #require(SharedData.bytes("geofence/traccar/cases.json"))
        let cases = try JSONReader.parse(bytes).arrayValue ?? []
        var checked = 0
        for row in cases {
            guard let text = row["geofence"]?.stringValue, text.hasPrefix("CIRCLE") else { continue }
            let numbers = text.split { " (,)".contains($0) }.compactMap { Double($0) }
            let place = row["latlon"]?.arrayValue?.compactMap(\.doubleValue) ?? []
            let bench = try started()
            let circle =
                #"{"id":"a","latitude":\#(numbers[0]),"longitude":\#(numbers[1]),"radiusM":\#(numbers[2])}"#
            #expect(try ask(bench, "addGeofence", circle)["ok"] == true)
            bench.runtime.fences.fixArrived(
                TrackFix(
                    time: RuntimeBench.epoch, instant: bench.reactor.now, receivedAt: bench.reactor.now,
                    coordinate: Coordinate(latitude: place[0], longitude: place[1]), accuracyM: 5))
            let inside = try ask(bench, "getGeofences")["result"]?.arrayValue?.first?["inside"]
            #expect(inside == row["expected"], "\(row.text)")
            checked += 1
        }
        #expect(checked == 2)
    }
}
