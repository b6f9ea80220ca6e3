import Ports
import TestKit
import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Power key of a modem") struct PowerKeyTests {
    private let reactor = ManualReactor()
    private let lines = ScriptedLines()

    private func makeModem(hasStatus: Bool) -> PowerKeyModem {
        lines.now = { [reactor] in reactor.now }
        return PowerKeyModem(
            keyLine: "key", statusLine: hasStatus ? "status" : nil, pulseMillis: 1_500, lines: lines, reactor: reactor)
    }

    /// When the key went down and up.
    private var key: [String] {
        (lines.line("key")?.history ?? []).map { "\($0.isActive ? "down" : "up") \($0.at.millis)" }
    }

    @Test("on is one press of the configured length, and none more while it is on") func on() {
        let modem = makeModem(hasStatus: false)
        modem.switchOn()
        reactor.advance(byMillis: 60_000)
        modem.switchOn()
        reactor.advance(byMillis: 60_000)
        #expect(key == ["down 0", "up 1500"])
        modem.switchOff()
        reactor.advance(byMillis: 60_000)
        #expect(key.count == 4)
    }

    @Test("a modem that is on already, by its status line, is left alone") func alreadyOn() {
        lines.active = ["status"]
        let modem = makeModem(hasStatus: true)
        modem.switchOn()
        reactor.advance(byMillis: 60_000)
        #expect(key.isEmpty)
        modem.switchOff()
        #expect(key == ["down 60000"])
    }

    @Test("a cycle is off, a rest and on, each when the status line tells that the one before is done") func cycle() {
        lines.active = ["status"]
        let modem = makeModem(hasStatus: true)
        modem.cycle()
        reactor.advance(byMillis: 4_000)
        lines.drive(false, line: "status")
        reactor.advance(byMillis: 4_999)
        #expect(key == ["down 0", "up 1500"])
        reactor.advance(byMillis: 1)
        #expect(key == ["down 0", "up 1500", "down 9000"])
    }

    @Test("a modem that does not come on within 10 s is told, and what was to follow is not done") func deaf() {
        let modem = makeModem(hasStatus: true)
        var failures: [String] = []
        modem.onFailure = { failures.append($0) }
        modem.switchOn()
        modem.switchOff()
        reactor.advance(byMillis: 11_400)
        #expect(failures.isEmpty)
        reactor.advance(byMillis: 200)
        #expect(failures.count == 1 && failures.first?.contains("link.powerKeyLine") == true)
        reactor.advance(byMillis: 60_000)
        #expect(key == ["down 0", "up 1500"])
    }

    @Test("the next order is taken after a failure") func afterFailure() {
        let modem = makeModem(hasStatus: true)
        modem.onFailure = { [unowned modem] _ in modem.cycle() }
        modem.switchOn()
        reactor.advance(byMillis: 11_600)
        modem.onFailure = nil
        reactor.advance(byMillis: 6_000)
        // It was off all the time: no press for that, the rest, then on again.
        #expect(key.count == 3)
    }

    @Test("lines that are refused are told, and tried again with the next order") func refused() {
        let modem = makeModem(hasStatus: true)
        var failures: [String] = []
        modem.onFailure = { failures.append($0) }
        lines.refusal = LineFailure(cause: "no line is named 'key'", remedy: "look")
        modem.switchOn()
        #expect(failures == ["no line is named 'key'; look"])
        lines.refusal = nil
        modem.switchOn()
        #expect(key == ["down 0"])
    }

    @Test("the key is let go when the modem is given up") func released() {
        var modem: PowerKeyModem? = makeModem(hasStatus: false)
        modem?.switchOn()
        modem = nil
        #expect(key == ["down 0", "up 0"])
        #expect(lines.line("key")?.isClosed == true)
    }
}
