import CGpiodStub
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

/// Against the board of `CGpiodStub`, which there is one of.
@Suite("GPIO lines through libgpiod", .serialized) struct GPIODLinesTests {
    private let devices = TemporaryDirectory()
    private let reactor: LinuxReactor
    private let lines: GPIODLines

    init() throws {
        board_reset()
        devices.put("gpiochip0", "")
        devices.put("gpiochip1", "")
        reactor = try LinuxReactor()
        lines = GPIODLines(reactor: reactor, directory: devices.path)
    }

    private func refusal(_ body: () throws -> Void) -> LineFailure? {
        do { try body() } catch { return error as? LineFailure }
        return nil
    }

    @Test(
        "a line is found by name, by chip and number, and by number alone", arguments: ["RELAY", "gpiochip1:2", "1:2"])
    func found(text: String) throws {
        let relay = try lines.output(text, isActive: true)
        #expect(board_is_high(1, 2))
        try relay.set(false)
        #expect(!board_is_high(1, 2))
        relay.close()
        #expect(board_lines_held() == 0 && board_chips_open() == 0)
    }

    @Test("' low' after a line turns its levels around") func activeLow() throws {
        let relay = try lines.output("RELAY low", isActive: true)
        #expect(!board_is_high(1, 2))
        try relay.set(false)
        #expect(board_is_high(1, 2))
        let button = try lines.input("0:1 low", onRise: {})
        #expect(button.isActive)
    }

    @Test("both edges of a line come through the loop in order, with the kernel's time") func edges() throws {
        var seen: [LineEdge] = []
        let before = reactor.now
        let input = try lines.input("GPIO1") { (edge: LineEdge) in
            seen.append(edge)
            if seen.count == 2 { reactor.stop() }
        }
        board_drive(0, 1, true)
        #expect(input.isActive)
        board_drive(0, 1, false)
        try Loop.run(reactor)
        #expect(seen.map(\.isActive) == [true, false])
        #expect(seen.allSatisfy { $0.at >= before.advanced(byMillis: -1) && $0.at <= reactor.now })
        #expect(!input.isActive && input.failure == nil)
    }

    @Test("nothing is heard of a line that was closed, and it is free again") func closed() throws {
        var rises = 0
        let input = try lines.input("GPIO1", onRise: { rises += 1 })
        input.close()
        board_drive(0, 1, true)
        try Loop.idle(reactor, millis: 20)
        #expect(rises == 0 && board_lines_held() == 0 && board_chips_open() == 0)
        _ = try lines.input("GPIO1", onRise: {})
    }

    @Test("E-116: a line that changes without end is heard a hundred times a second, and then its last level")
    func storm()
        throws
    {
        var seen: [Bool] = []
        let input = try lines.input("GPIO1") { (edge: LineEdge) in seen.append(edge.isActive) }
        // What a pipe holds; the last is high.
        for round in 0..<2_001 { board_drive(0, 1, round % 2 == 0) }
        let wakeUps = reactor.wakeUps
        try Loop.idle(reactor, millis: 600)
        #expect((100...128).contains(seen.count))
        #expect(reactor.wakeUps - wakeUps < 20)
        #expect(input.isActive)
    }

    @Test("after a storm the line is heard as before") func afterStorm() throws {
        var last: Bool?
        let input = try lines.input("GPIO1") { (edge: LineEdge) in last = edge.isActive }
        for round in 0..<121 { board_drive(0, 1, round % 2 == 0) }
        try Loop.idle(reactor, millis: 1_500)
        #expect(last == true)
        board_drive(0, 1, false)
        try Loop.idle(reactor, millis: 50)
        #expect(last == false && input.failure == nil)
    }

    @Test("a chip that is unplugged is a failure of the line, not a loop that spins") func unplugged() throws {
        let input = try lines.input("GPIO1", onRise: {})
        board_unplug(0)
        let wakeUps = reactor.wakeUps
        try Loop.idle(reactor, millis: 50)
        #expect(input.failure?.cause.contains("GPIO1") == true)
        #expect(reactor.wakeUps - wakeUps <= 3)
    }

    @Test("a missing line is refused with the names that are near") func missing() {
        let failure = refusal { _ = try lines.input("gpio11", onRise: {}) }
        #expect(failure?.cause == "no line is named 'gpio11'")
        #expect(failure?.remedy.hasPrefix("near are GPIO1, ") == true)
        #expect(
            refusal { _ = try lines.output("gpiochip0:8", isActive: true) }?.remedy == "that chip has the lines 0 to 7")
        let chip = refusal { _ = try lines.output("7:0", isActive: true) }
        #expect(chip?.cause == "there is no gpiochip7")
        #expect(chip?.remedy.contains("gpiochip0, gpiochip1") == true)
        #expect(board_chips_open() == 0)
    }

    @Test("a line in use is refused with who has it") func busy() {
        let failure = refusal { _ = try lines.input("GPIO3", onRise: {}) }
        #expect(failure?.cause == "line GPIO3 is in use by 'spi0 CS0'")
        #expect(refusal { _ = try lines.input("GPIO5", onRise: {}) }?.remedy.contains("interrupt") == true)
        #expect(board_chips_open() == 0)
    }

    @Test("a chip that may not be opened is refused with the group to join, unless the line is on another")
    func forbidden()
        throws
    {
        board_forbid(0)
        #expect(refusal { _ = try lines.input("GPIO1", onRise: {}) }?.remedy.contains("group gpio") == true)
        _ = try lines.output("RELAY", isActive: true)
    }

    @Test("a board without a GPIO chip says so") func noChips() throws {
        let empty = TemporaryDirectory()
        let none = GPIODLines(reactor: reactor, directory: empty.path)
        #expect(refusal { _ = try none.input("GPIO1", onRise: {}) }?.cause.hasPrefix("there is no GPIO chip") == true)
    }

    @Test(
        "what is no chip and number is a name",
        arguments: ["GPIO17", "gpio:17", "1:+2", "gpiochip:1", "1:2:3", "1:99999999999"])
    func names(text: String) {
        #expect(LineAddress(text).place == .name(text))
        #expect(LineAddress(text + " low") == LineAddress(text).low)
    }
}

extension LineAddress {
    fileprivate var low: LineAddress {
        var address = self
        address.isActiveLow = true
        return address
    }
}
