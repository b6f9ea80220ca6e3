import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("The receiver for the operator")
struct GNSSOperationTests {
    private func ask(
        _ bench: RuntimeBench, _ line: String, _ subscriber: any ControlSubscriber = RecordingSubscriber()
    ) throws -> JSONValue {
        try #require(try bench.answer(Array(line.utf8), subscriber))
    }

    @Test("A subscriber gets every byte the receiver sends, and nobody else pays for it")
    func raw() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        let follower = RecordingSubscriber()
        #expect(try ask(bench, #"{"id":1,"op":"gnss.raw"}"#, follower)["ok"] == true)
        let sent = bench.epoch(east: 0, speedMps: 0)
        bench.stream.deliver(sent)
        let bytes = try follower.lines.flatMap { line in
            try JSONReader.parse(line)["data.hex"]?.stringValue.flatMap(Hex.bytes) ?? []
        }
        #expect(bytes == Array(sent.utf8))
        follower.isOpen = false
        bench.stream.deliver(sent)
        #expect(follower.lines.count == 1)
    }

    @Test("The sky is shown once the receiver has reported it")
    func sky() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(2, speedMps: 0)
        #expect(try ask(bench, #"{"id":1,"op":"gnss"}"#)["result.sky"] == nil)
        for _ in 0..<3 {
            bench.stream.deliver(
                RuntimeBench.sentence("GPGSV,1,1,02,05,45,120,41,07,10,300,") + bench.epoch(east: 0, speedMps: 0))
            bench.reactor.advance(byMillis: 1_000)
        }
        let reply = try ask(bench, #"{"id":1,"op":"gnss"}"#)
        let sky = SkyView(json: try #require(reply["result.sky"]))
        #expect(sky.satellites.map(\.number) == [5, 7])
        #expect(sky.satellites.first?.cn0DBHz == 41)
        #expect(reply["result.receiver.state"] == "fix3D")
    }

    @Test("A restart is refused with a reason where the receiver's family is not known or the mode is none")
    func reset() throws {
        let bench = RuntimeBench { $0.gnssConfigure = false }
        try bench.runtime.start()
        bench.play(2, speedMps: 0)
        let unknown = try ask(bench, #"{"id":1,"op":"gnss.reset","args":{"mode":"hot"}}"#)
        #expect(unknown["ok"] == false && unknown["code"] == "conflict")
        #expect(unknown["message"]?.stringValue?.contains("family") == true)
        let mode = try ask(bench, #"{"id":1,"op":"gnss.reset","args":{"mode":"tepid"}}"#)
        #expect(mode["message"]?.stringValue?.contains("hot, warm, cold") == true)
    }
}
