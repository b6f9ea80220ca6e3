import CLinux
import Glibc
import Ports
import TestKit
import Testing

@testable import MQTTUplink

@Suite("The thread that talks to a broker", .serialized)
struct WorkerTests {
    private static let oneMinute = 60

    private static func request(_ broker: StandInBroker) -> UplinkRequest {
        UplinkRequest(
            url: "mqtt://127.0.0.1:\(broker.port)/t", method: "POST", headers: [], body: [1],
            connectTimeoutSec: oneMinute, totalTimeoutSec: oneMinute)
    }

    @Test("A second request does not keep the thread awake while the first waits for the broker")
    func sleeps() throws {
        let broker = try StandInBroker(confirms: 0)
        defer { broker.stop() }
        let reactor = PumpedReactor()
        let worker = try #require(
            MQTTWorker(
                results: Mailbox(signal: reactor.makeSignal {}), account: MQTTAccount(clientID: "c", topic: "t")))
        let thread = try #require(WorkerThread { worker.run() })
        worker.put(Self.request(broker))
        #expect(reactor.pump(seconds: 10) { broker.seen.messages == 1 })
        worker.put(Self.request(broker))
        // Silent again: with the bell ringing on, the thread would turn without end.
        let isSilent = reactor.pump(seconds: 10) {
            var entry = pollfd(fd: worker.bell, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) == 0
        }
        #expect(isSilent)
        worker.close()
        thread.join()
    }

    @Test("A connection that nobody needs any more is ended with a good-bye, and made anew when it is needed")
    func idleLimit() throws {
        let broker = try StandInBroker()
        defer { broker.stop() }
        let reactor = PumpedReactor()
        var account = MQTTAccount(clientID: "c", topic: "t")
        account.keepAliveSec = 5
        account.idleLimitSec = 1
        let uplink = MosquittoUplink(reactor: reactor, account: account)
        defer { uplink.close() }
        for round in 1...2 {
            var result: UplinkResult?
            uplink.start(Self.request(broker)) { result = $0.result }
            #expect(reactor.pump(seconds: 20) { result != nil && broker.seen.goodbyes == round })
            #expect(result == .answered(status: 200, retryAfter: nil, date: nil, body: []))
            #expect(broker.seen.connections == round)
        }
    }

    @Test("What the broker answers to the account is a status where a web server has one (MQTT 3.1.1 §3.2.2.3)")
    func refusals() throws {
        for (answer, status) in [(4, 401), (5, 403), (3, nil)] as [(UInt8, Int?)] {
            let broker = try StandInBroker(answer: answer)
            defer { broker.stop() }
            let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)/t")
            let result = bench.attempt(1)
            if let status {
                #expect(result == .answered(status: status, retryAfter: nil, date: nil, body: []))
            } else {
                #expect(bench.failures == [.connect])
            }
            #expect(broker.seen.messages == 0)
        }
    }

    @Test("A request to be explained makes a connection of its own, whatever is there")
    func explainedAnew() throws {
        let broker = try StandInBroker()
        defer { broker.stop() }
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)/t")
        bench.drain(1...2)
        #expect(broker.seen.connections == 1)
        #expect(bench.attempt(3, isExplained: true) == .answered(status: 200, retryAfter: nil, date: nil, body: []))
        #expect(broker.seen.connections == 2 && broker.seen.messages == 2)
    }

    @Test(
        "A credential that is none is told, and the broker is not met without one",
        arguments: ["Bearer x", "Basic !!!", "Basic dXNlcg==", ""])
    func unreadable(value: String) throws {
        let broker = try StandInBroker()
        defer { broker.stop() }
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)/t")
        bench.headers = [.init(name: "Authorization", value: value)]
        guard case .failed(let failure) = bench.attempt(1) else {
            Issue.record("sent all the same")
            return
        }
        #expect(failure.code == .badRequest && failure.cause.contains("Basic") && broker.seen.connections == 0)
    }
}
