import Ports
import TestKit
import Testing
import WireText

@testable import TrackerRuntime

/// A bench and one client of its control socket.
struct Desk {
    let bench: RuntimeBench
    let client = RecordingSubscriber()
    var user: UInt32 = 0

    init(_ bench: RuntimeBench = RuntimeBench()) throws {
        self.bench = bench
        try bench.runtime.start()
    }

    func ask(_ op: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        let line: JSONValue = ["id": 1, "op": .string(op), "args": .object(arguments)]
        let request = ControlRequest(peer: ControlPeer(userID: user), line: line.bytes, subscriber: client)
        return try JSONReader.parse(try #require(ControlProtocol(runtime: bench.runtime).reply(to: request)))
    }

    func result(_ op: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        let reply = try ask(op, arguments)
        return try #require(reply["result"], "\(reply.text)")
    }

    func told() throws -> [JSONValue] { try client.lines.map { try JSONReader.parse($0) } }
    func names() throws -> [String] { try told().compactMap { $0["event"]?.stringValue } }
}
