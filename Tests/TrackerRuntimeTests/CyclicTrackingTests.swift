import GNSSCodecs
import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Telling a receiver to track cyclically")
struct CyclicTrackingTests {
    private typealias Bench = ReceiverCareTests.Bench

    private func configured(_ identity: ReceiverIdentity) -> Bench {
        var bench = Bench(answer: ReceiverCareTests.obeying(identity))
        bench.send(.locked(baud: 9_600))
        #expect(bench.machine.configured == "yes")
        bench.sent = []
        return bench
    }

    @Test(
        "It is told once when it may, once when it may not any more, in its own language",
        arguments: [ReceiverCareTests.m8, ReceiverCareTests.m9, ReceiverCareTests.m10])
    func told(identity: ReceiverIdentity) {
        var bench = configured(identity)
        bench.send(.cyclicWanted(true))
        bench.send(.cyclicWanted(true))
        #expect(bench.sent == [.cyclic(true)] && bench.machine.isCyclic && bench.cyclicChanges == 1)
        bench.send(.cyclicWanted(false))
        #expect(bench.sent == [.cyclic(true), .cyclic(false)] && !bench.machine.isCyclic && bench.cyclicChanges == 2)
        #expect(bench.machine.configured == "yes" && bench.machine.state == .watching && bench.notes.isEmpty)
    }

    @Test(
        "Wanted before it is set up, it is told after the rest; after a restart of the receiver again; at rest it forgets"
    )
    func toldAgain() {
        var bench = Bench(answer: ReceiverCareTests.obeying(ReceiverCareTests.m8))
        bench.send(.cyclicWanted(true))
        bench.send(.locked(baud: 9_600))
        #expect(bench.sent.last == .cyclic(true) && bench.machine.isCyclic)
        bench.sent = []
        bench.advance(toMillis: 60_000)
        bench.send(.noticed("u-blox AG - www.u-blox.com"))
        bench.advance(toMillis: 70_000)
        #expect(bench.sent.first == .identity && bench.sent.last == .cyclic(true))
        bench.send(.cyclicWanted(false))
        bench.sent = []
        bench.send(.rested)
        #expect(!bench.machine.isCyclic)
        bench.send(.locked(baud: 9_600))
        #expect(!bench.sent.contains(.cyclic(true)) && !bench.sent.contains(.cyclic(false)))
    }

    @Test("A change of mind while it is being told is told next")
    func changedMind() {
        var bench = configured(ReceiverCareTests.m8)
        bench.answer = { _, _ in nil }
        bench.send(.cyclicWanted(true))
        bench.send(.cyclicWanted(false))
        bench.answer = ReceiverCareTests.obeying(ReceiverCareTests.m8)
        bench.advance(toMillis: bench.now.millis + 2_000)
        #expect(bench.sent == [.cyclic(true), .cyclic(true), .cyclic(false)] && !bench.machine.isCyclic)
    }

    @Test("A refusal is told once, and it is not asked again; a receiver without such a mode is not asked at all")
    func refused() {
        var bench = configured(ReceiverCareTests.u6)
        bench.answer = { .replied(ReceiverCareTests.done($0, $1, false)) }
        for isWanted in [true, false, true] { bench.send(.cyclicWanted(isWanted)) }
        #expect(bench.sent == [.cyclic(true)] && !bench.machine.isCyclic && bench.cyclicChanges == 0)
        #expect(bench.machine.configured == "partly: without cyclic tracking")
        #expect(bench.notes == ["receiver_partly_configured: cyclic tracking"])
        bench.send(.rested)
        bench.answer = ReceiverCareTests.obeying(ReceiverCareTests.u6)
        bench.send(.locked(baud: 9_600))
        #expect(!bench.sent.dropFirst().contains(.cyclic(true)) && bench.notes.count == 1, "nor after a rest")
        var other = configured(ReceiverIdentity(family: .mtk, model: "L76", firmware: "AXN"))
        other.send(.cyclicWanted(true))
        #expect(other.sent.isEmpty)
        other.send(.rested)
        other.send(.locked(baud: 9_600))
        #expect(!other.sent.contains(.cyclic(true)) && other.machine.configured == "yes")
    }

    @Test("The frames are those of the makers' descriptions")
    func frames() {
        #expect(
            ReceiverRequest.cyclic(true).bytes(in: .ubx)
                == [0xB5, 0x62, 0x06, 0x86, 8, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0x97, 0x6F])
        let keys = ReceiverRequest.cyclic(true).bytes(in: .ubxValset)
        #expect(
            Array(keys.dropFirst(6).dropLast(2)) == [
                0, 1, 0, 0, 0x08, 0x00, 0xD0, 0x10, 1, 0x05, 0x00, 0xD0, 0x30, 0, 0, 0x01, 0x00, 0xD0, 0x20, 2,
            ])
        #expect(
            Array(ReceiverRequest.cyclic(false).bytes(in: .ubxValset).dropFirst(6).dropLast(2)) == [
                0, 1, 0, 0, 0x01, 0x00, 0xD0, 0x20, 0,
            ])
    }
}
