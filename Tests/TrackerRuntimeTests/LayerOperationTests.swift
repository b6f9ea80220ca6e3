import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("Diagnostic layers for the operator")
struct LayerOperationTests {
    private func ask(
        _ bench: RuntimeBench, _ line: String, _ subscriber: any ControlSubscriber = RecordingSubscriber()
    ) throws -> JSONValue {
        try #require(try bench.answer(Array(line.utf8), subscriber))
    }

    private func driven(_ change: (inout TrackerConfig) -> Void = { _ in }) throws -> RuntimeBench {
        let bench = RuntimeBench(change: change)
        try bench.runtime.start()
        bench.play(120, speedMps: 10)
        return bench
    }

    @Test("Decisions come newest first with the number of their row, and one is told in words")
    func decisions() throws {
        let bench = try driven()
        let rows = try #require(try ask(bench, #"{"op":"getDecisions","args":{"limit":3}}"#)["result.rows"]?.arrayValue)
        let count = Int64(bench.store.decisions.count)
        #expect(rows.map { $0["n"]?.intValue } == [count, count - 1, count - 2])
        let told = try ask(bench, #"{"op":"getDecisions","args":{"id":1}}"#)
        #expect(told["result.explanation"]?.stringValue?.hasPrefix("kept (ACCEPT, Init).") == true)
        #expect(told["result.explanation"]?.stringValue?.hasSuffix("of the present configuration.") == true)
        #expect(try ask(bench, #"{"op":"getDecisions","args":{"id":99999}}"#)["code"] == "notFound")
        for arguments in [#"{"limit":0}"#, #"{"limit":5001}"#, #"{"offset":-1}"#, #"{"limit":"x"}"#, #"{"id":"x"}"#] {
            let reply = try ask(bench, #"{"op":"getDecisions","args":"# + arguments + "}")
            #expect(reply["code"] == "invalidRequest", "\(arguments)")
        }
    }

    @Test(
        "A reply holds 1 MiB of a layer at most; page after page gives every row once, each page in its order",
        arguments: ["getDecisions", "getRawFixes", "getRawPoints"])
    func pages(op: String) throws {
        let bench = RuntimeBench {
            $0.layers.keepsRawFixes = true
            $0.layers.keepsRawPoints = true
        }
        try bench.runtime.start()
        try SyncScene.commit(0, to: bench.store)
        for number in 1...5_200 {
            let time = RuntimeBench.epoch.advanced(byMillis: Int64(number) * 1_000)
            var point = try #require(bench.store.points.first)
            point.time = time
            let decision = Decision(
                time: time, instant: Instant(millis: Int64(number) * 1_000), latitudeE7: 470_000_000,
                longitudeE7: 80_000_000, accuracyMM: 5_000, verdict: .accept, reason: .movingWalking,
                distanceMM: 1_000, speedMMps: 1_000, motion: .moving)
            var record = FixRecord(sessionID: "s", decision: decision, point: nil, captureState: "")
            record.rawFix = RawFix(
                time: time, instant: Instant(millis: Int64(number)), bootID: "boot", provider: .gnss, isMock: false)
            record.judged = JudgedPoint(point: point, verdict: .accept)
            _ = try bench.store.commit(record)
        }
        var offset: Int64? = 0
        var times: [JSONValue] = []
        var replies = 0
        while let from = offset {
            let line = #"{"op":"\#(op)","args":{"limit":5000,"offset":\#(from)}}"#
            let reply = try ask(bench, line)
            #expect(reply.bytes.count < 1 << 20)
            let rows = (reply["result.rows"]?.arrayValue ?? []).compactMap { $0["timeMs"] ?? $0["t"] }
            #expect(!rows.isEmpty)
            times += op == "getDecisions" ? rows : rows.reversed()
            replies += 1
            offset = reply["result.next"]?.intValue
        }
        #expect(replies > 1)
        #expect(times.count == 5_200)
        let numbers = times.compactMap(\.doubleValue)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test("Layers that are off give no rows and say so; those that are on give each judged fix")
    func layers() throws {
        let off = try driven()
        for op in ["getRawFixes", "getRawPoints"] {
            let reply = try ask(off, "{\"op\":\"\(op)\"}")
            #expect(reply["result.enabled"] == false && reply["result.rows"]?.arrayValue?.isEmpty == true)
        }
        let on = try driven {
            $0.layers.keepsRawFixes = true
            $0.layers.keepsRawPoints = true
        }
        let raw = try ask(on, #"{"op":"getRawFixes"}"#)["result.rows"]?.arrayValue ?? []
        #expect(raw.count == on.store.decisions.count && raw.first?["boot"] == "boot-1")
        let judged = try ask(on, #"{"op":"getRawPoints"}"#)["result.rows"]?.arrayValue ?? []
        #expect(judged.compactMap { $0["verdict"]?.stringValue } == on.store.decisions.map(\.verdict.rawValue))
        #expect(judged.compactMap { $0["reason"]?.stringValue } == on.store.decisions.map(\.reason.rawValue))
    }

    @Test(
        "An argument of another type is refused: it never becomes its default",
        arguments: [
            #""getDecisions","args":{"sessionID":7}"#, #""getRawFixes","args":{"sessionID":null}"#,
            #""exportFixture","args":{"sessionID":7}"#, #""exportFixture","args":{"name":true}"#,
            #""getCurrentLocation","args":{"feed":"no"}"#, #""gnss.reset","args":{"mode":1}"#, #""state","args":[]"#,
            #""sync.status","args":"x""#,
        ])
    func otherType(request: String) throws {
        let bench = try driven()
        #expect(try ask(bench, #"{"op":"# + request + "}")["code"] == "invalidRequest")
    }

    @Test("A judged fix that stored nothing carries the odometer as it was")
    func odometer() throws {
        let bench = try driven { $0.layers.keepsRawPoints = true }
        bench.play(600, fromEast: 1_200, speedMps: 0)
        var running: Int64 = 0
        for judged in bench.store.judgedPoints {
            if judged.verdict != .accept { #expect(judged.point.odometerMM == running) }
            running = judged.point.odometerMM
        }
        #expect(bench.store.judgedPoints.contains { $0.verdict != .accept })
        let accepted = bench.store.judgedPoints.filter { $0.verdict == .accept }.map(\.point.uuid)
        #expect(accepted == bench.store.points.map(\.uuid))
    }

    @Test("A fixture has the fixes of layer 1, the configuration without credentials, and nothing expected")
    func fixture() throws {
        let bench = try driven { $0.layers.keepsRawFixes = true }
        let fixture = try #require(try ask(bench, #"{"op":"exportFixture","args":{"name":"n"}}"#)["result"])
        #expect(fixture["name"] == "n" && fixture["version"] == 1)
        #expect(fixture["fixes"]?.arrayValue?.count == bench.store.rawFixes.count)
        #expect(fixture["expected"]?.arrayValue?.isEmpty == true)
        #expect(!fixture.text.contains("secret-token"))
        let off = try driven()
        let empty = try ask(off, #"{"op":"exportFixture"}"#)["result"]
        #expect(empty?["fixes"]?.arrayValue?.isEmpty == true && empty?["name"]?.stringValue == off.store.sessions[0].id)
    }

    @Test("A fixture of a long session has the newest 5 000 fixes and says that there were more")
    func longFixture() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        try bench.store.begin(Session(id: "long", startedAt: .init(millis: 1), endedAt: .init(millis: 5_001)))
        for number in 1...5_001 {
            var record = FixRecord(sessionID: "long", decision: nil, point: nil, captureState: "")
            record.rawFix = RawFix(
                time: UTCTime(millis: Int64(number)), instant: .zero, bootID: "b", provider: .gnss, isMock: false)
            if number == 5_001 {
                let whole = try ask(bench, #"{"op":"exportFixture","args":{"sessionID":"long"}}"#)["result"]
                #expect(whole?["truncated"] == nil && whole?["fixes"]?.arrayValue?.count == 5_000)
            }
            _ = try bench.store.commit(record)
        }
        let cut = try ask(bench, #"{"op":"exportFixture","args":{"sessionID":"long"}}"#)["result"]
        #expect(cut?["truncated"] == true && cut?["fixes"]?.arrayValue?.count == 5_000)
        #expect(cut?["fixes"]?.arrayValue?.first?["timeMs"] == 2)
    }

    @Test("A recorder gets every fix as a line of a recording, judged or not, and the bytes with their time")
    func recorder() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        let recorder = RecordingSubscriber()
        let line = #"{"op":"subscribe","args":{"topics":["fixes","gnss.raw","motion"]}}"#
        #expect(try ask(bench, line, recorder)["ok"] == true)
        bench.play(5, speedMps: 1)
        let events = try recorder.lines.map { try JSONReader.parse($0) }
        let fixes = events.filter { $0["event"] == "fixes" }
        #expect(fixes.count >= 4 && fixes.count > bench.store.decisions.count)
        #expect(fixes.allSatisfy { $0["data.lat"] != nil && $0["data.u"] != nil && $0["data.boot"] == "boot-1" })
        let raw = events.filter { $0["event"] == "gnss.raw" }
        #expect(raw.map { $0["data.u"]?.doubleValue } == [0, 1, 2, 3, 4])
        // Asked for once more, and twice in one request: each line still comes once.
        #expect(try ask(bench, #"{"op":"subscribe","args":{"topics":["fixes","fixes"]}}"#, recorder)["ok"] == true)
        let before = recorder.lines.count
        bench.play(1, fromEast: 5, speedMps: 1)
        let added = try recorder.lines.dropFirst(before).map { try JSONReader.parse($0)["event"]?.stringValue }
        #expect(!added.isEmpty && Set(added).count == added.count)
        #expect(try ask(bench, #"{"op":"subscribe","args":{"topics":["x"]}}"#)["code"] == "invalidRequest")
        #expect(try ask(bench, #"{"op":"subscribe"}"#)["code"] == "invalidRequest")
    }
}
