import Ports
import TestKit
import Testing
import TrackerRuntime
import WireText

@Suite("Control protocol")
struct ControlProtocolTests {
    private func ask(_ line: String) throws -> JSONValue {
        let bench = RuntimeBench()
        try bench.runtime.start()
        let request = ControlRequest(
            peer: ControlPeer(userID: 0), line: Array(line.utf8), subscriber: RecordingSubscriber())
        return try JSONReader.parse(try #require(ControlProtocol(runtime: bench.runtime).reply(to: request)))
    }

    @Test("Hello tells protocol, build and capabilities, with the request's id")
    func hello() throws {
        let reply = try ask(#"{"id":"a7","op":"hello"}"#)
        #expect(reply["id"] == "a7" && reply["ok"] == true)
        #expect(reply["result.protocol"]?.intValue == 1)
    }

    @Test("State is the status")
    func state() throws {
        #expect(try ask(#"{"id":1,"op":"state"}"#)["result.service.state"] == "running")
    }

    @Test(
        "What cannot be served is refused with its code",
        arguments: [
            ("{", "invalidRequest"), ("[]", "invalidRequest"), (#"{"id":1}"#, "invalidRequest"),
            (#"{"id":1,"op":"fly"}"#, "unknownOperation"), (#"{"id":1,"op":"state","args":{"x":1}}"#, "invalidRequest"),
        ])
    func refused(line: String, code: String) throws {
        let reply = try ask(line)
        #expect(reply["ok"] == false)
        #expect(reply["code"]?.stringValue == code)
        #expect(reply["message"]?.stringValue?.isEmpty == false)
    }
}
