import Ports
import TestKit
import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Power and reset of the receiver on lines") struct ReceiverSupplyTests {
    private let reactor = ManualReactor()
    private let lines = ScriptedLines()

    private func makeSupply(power: Bool = true, reset: Bool = false) throws(LineFailure) -> ReceiverSupply {
        lines.now = { [reactor] in reactor.now }
        let supply = ReceiverSupply(isHeld: false, reactor: reactor) { _ in }
        if power { supply.power = try lines.output("power", isActive: true) }
        if reset { supply.reset = try lines.output("reset", isActive: false) }
        return supply
    }

    private func history(_ name: String) -> [String] {
        (lines.line(name)?.history ?? []).map { "\($0.isActive ? "on" : "off") \($0.at.millis)" }
    }

    @Test("what rests and is held has its power back when both are over, 2 s after it went at the earliest")
    func both() throws {
        let supply = try makeSupply()
        #expect(supply.rest(true) && supply.isCut)
        reactor.advance(byMillis: 500)
        supply.hold(true)
        #expect(supply.rest(false) && supply.isCut)
        reactor.advance(byMillis: 500)
        supply.hold(false)
        #expect(!supply.isCut && history("power") == ["off 0"])
        reactor.advance(byMillis: 5_000)
        #expect(history("power").count == 2 && lines.line("power")?.isActive == true)
        let back = try #require(lines.line("power")?.history.last?.at)
        #expect((2_000...2_200).contains(back.millis))
        _ = supply.rest(true)
        reactor.advance(byMillis: 60_000)
        let now = reactor.now
        _ = supply.rest(false)
        #expect(lines.line("power")?.history.last == LineEdge(isActive: true, at: now), "long dark: at once")
    }

    @Test("a restart is cut short by rest, and not begun while there is no power")
    func restart() throws {
        let supply = try makeSupply()
        #expect(supply.restart() != nil)
        reactor.advance(byMillis: 1_000)
        _ = supply.rest(true)
        reactor.advance(byMillis: 10_000)
        #expect(lines.line("power")?.isActive == false && supply.restart() == nil)
    }

    @Test("held during a reset, the reset line is let go all the same")
    func reset() throws {
        let supply = try makeSupply(power: false, reset: true)
        #expect(supply.restart() != nil && lines.line("reset")?.isActive == true)
        supply.hold(true)
        reactor.advance(byMillis: 1_000)
        #expect(lines.line("reset")?.isActive == false)
    }

    @Test("without a line it does not rest, and is not cut")
    func unwired() throws {
        let supply = try makeSupply(power: false)
        #expect(!supply.rest(true) && !supply.isCut && !supply.isOff)
    }
}
