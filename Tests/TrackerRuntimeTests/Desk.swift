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
        return try #require(try bench.answer(line.bytes, user: user, client))
    }

    func result(_ op: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        let reply = try ask(op, arguments)
        return try #require(reply["result"], "\(reply.text)")
    }

    func told() throws -> [JSONValue] { try client.lines.map { try JSONReader.parse($0) } }
    func names() throws -> [String] { try told().compactMap { $0["event"]?.stringValue } }
}
