import Ports
import Testing

@testable import MQTTUplink

@Suite("One connection to a broker")
struct SessionTests {
    @Test("A confirmation of long ago does not count: packet ids come again after 65 535 messages")
    func idsComeAgain() throws {
        let broker = try StandInBroker(confirms: 65_535)
        defer { broker.stop() }
        let address = try #require(MQTTAddress("mqtt://127.0.0.1:\(broker.port)"))
        let session = try MQTTSession(
            MQTTSession.Peer(address: address, topic: "t", credential: nil), MQTTAccount(clientID: "c", topic: "t"))
        func turn(until isDone: () -> Bool) throws {
            for _ in 0..<1_000 where !isDone() { try session.turn(bell: -1, atMostMillis: 10) }
        }
        try turn { session.connectAnswer != nil }
        try #require(session.connectAnswer == 0)
        let first = try session.publish([1])
        try turn { session.confirmedID == first }
        for number in 2...65_535 {
            let id = try session.publish([1])
            try turn { session.confirmedID == id }
            try #require(session.confirmedID == id, "message \(number)")
        }
        let again = try session.publish([1])
        #expect(again == first)
        for _ in 0..<200 where broker.seen.messages < 65_536 { try session.turn(bell: -1, atMostMillis: 10) }
        #expect(broker.seen.messages == 65_536 && session.confirmedID != again)
    }
}
