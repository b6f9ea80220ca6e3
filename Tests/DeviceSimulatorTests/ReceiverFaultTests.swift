import Testing
import TrackerModel
import WireText

@testable import DeviceSimulator

@Suite("Simulated receiver: faults")
struct ReceiverFaultTests {
    private static func run(
        _ faults: String, _ family: SimulatedFamily = .ublox8, seconds: Double = 20, utc: String? = nil,
        start: ReceiverStart = .hot, baud: Int? = 38_400
    ) throws -> ReceiverBench {
        var bench = try ReceiverBench(
            family, start: start, baud: baud, faults: faults, utc: utc.flatMap { TimeText.parse($0) })
        if family == .ublox8 {
            bench.send(0x0601, [0x01, 0x07, 1])
            bench.send(0x0601, [0xF0, 0x08, 1])
        }
        bench.run(seconds: seconds)
        return bench
    }

    private static func clocks(_ bench: ReceiverBench) -> [String] { bench.sentences("RMC").map { $0[1] } }

    @Test("Every fault of the script changes what is received", arguments: ReceiverFault.Kind.allCases)
    func everyFault(kind: ReceiverFault.Kind) throws {
        // Those need a port, and a receiver that sleeps (ReceiverSleepTests).
        if [.unplug, .garbageOnOpen, .wakes, .neverWakes, .losesConfig].contains(kind) { return }
        // Over midnight, for the leap second.
        let utc = "2026-12-31T23:59:45Z"
        let plain = try Self.run("", utc: utc)
        var faulty = try Self.run("5 \(kind.rawValue)", utc: utc)
        if [.spoofed, .jammed].contains(kind) {
            let id: UInt16 = kind == .spoofed ? 0x0103 : 0x0A09
            faulty.send(id)
            faulty.run(seconds: 1)
            #expect(faulty.frames(id).count == 1)
        }
        // A late epoch has the same bytes at another time.
        #expect(plain.chunks != faulty.chunks)
    }

    @Test("One byte in N is lost, one in N is flipped in one bit, and the rest is untouched")
    func noise() throws {
        let plain = try Self.run("", seconds: 60)
        let lost = try Self.run("0 lose 100", seconds: 60)
        let share = Double(plain.bytes.count - lost.bytes.count) / Double(plain.bytes.count)
        #expect((0.006...0.014).contains(share))
        let flipped = try Self.run("0 flip 100", seconds: 60)
        #expect(flipped.bytes.count == plain.bytes.count)
        let changed = zip(plain.bytes, flipped.bytes).map { $0 ^ $1 }.filter { $0 != 0 }
        #expect(changed.allSatisfy { $0.nonzeroBitCount == 1 })
        #expect((0.006...0.014).contains(Double(changed.count) / Double(plain.bytes.count)))
    }

    @Test("F-16: an opened port starts with 32 bytes of garbage and does not hear the first command")
    func garbageOnOpen() throws {
        var bench = try ReceiverBench(.ublox8, faults: "0 garbage-on-open")
        bench.run(seconds: 2)
        bench.forget()
        bench.open()
        #expect(bench.bytes.count == 32)
        bench.send(0x0A04)
        bench.run(seconds: 2)
        #expect(bench.frames(0x0A04).isEmpty)
        bench.send(0x0A04)
        bench.run(seconds: 2)
        #expect(bench.frames(0x0A04).count == 1)
    }

    @Test("Silence lasts as long as told")
    func silence() throws {
        let bench = try Self.run("5 silence for 10", seconds: 20)
        let seconds = Set(Self.clocks(bench).compactMap { Int($0.prefix(6)) }.map { $0 - 70_000 })
        #expect(seconds.isDisjoint(with: 6...14) && seconds.isSuperset(of: [4, 16]))
    }

    @Test("E-010: the time stands while the position goes on; E-011: it steps back")
    func clockFaults() throws {
        let stalled = try Self.run("5 time-stall for 8")
        #expect(Self.clocks(stalled).filter { $0 == "070005.00" }.count >= 7)
        let stepped = try Self.run("5 clock-step -30")
        let seconds = Self.clocks(stepped).compactMap { Int($0.prefix(6)) }
        #expect(zip(seconds, seconds.dropFirst()).contains { $1 < $0 })
    }

    @Test("E-012: the leap second is 23:59:60 in every protocol, once")
    func leapSecond() throws {
        let bench = try Self.run("0 leap-second", utc: "2016-12-31T23:59:50Z")
        let clocks = Self.clocks(bench)
        let index = try #require(clocks.firstIndex(of: "235960.00"))
        #expect(clocks[index - 1] == "235959.00" && clocks[index + 1] == "000000.00")
        #expect(bench.sentences("RMC")[index][9] == "311216" && bench.sentences("RMC")[index + 1][9] == "010117")
        let solutions = bench.frames(0x0107)
        #expect(solutions.filter { $0.u1(10) == 60 }.count == 1)
        #expect(zip(solutions, solutions.dropFirst()).allSatisfy { $1.u4(0) - $0.u4(0) == 1_000 })
    }

    @Test("The 18 s error of a cold start is marked as unresolved and ends")
    func leapError() throws {
        let bench = try Self.run("0 leap-error 18 for 10", start: .warm)
        let solutions = bench.frames(0x0107)
        #expect(solutions.prefix(8).allSatisfy { $0.u1(11) == 3 })
        #expect(solutions.last?.u1(11) == 7)
        let jump = zip(solutions, solutions.dropFirst()).map { $1.u1(9) * 60 + $1.u1(10) - $0.u1(9) * 60 - $0.u1(10) }
        #expect(jump.contains(-17))
    }

    @Test("E-013: a rollover shows the date of 1 024 weeks before")
    func rollover() throws {
        let bench = try Self.run("0 rollover", utc: "2026-05-04T07:00:00Z")
        #expect(bench.sentences("RMC").last?[9] == "180906")
        #expect(bench.sentences("ZDA").last?[4] == "2006")
        #expect(bench.frames(0x0107).last?.u2(4) == 2_006)
    }

    @Test("E-014: positions without a date for the first 40 s")
    func blankDate() throws {
        let bench = try Self.run("0 blank-date for 40", seconds: 60)
        let rmc = bench.sentences("RMC")
        #expect(rmc.prefix(35).suffix(30).allSatisfy { $0[2] == "A" && $0[9].isEmpty && !$0[1].isEmpty })
        #expect(rmc.last?[9] == "040526")
        #expect(bench.frames(0x0107).prefix(35).allSatisfy { $0.u1(11) & 1 == 0 })
    }

    @Test("E-005: a reset at 9 600 forgets the rate and the messages")
    func reset() throws {
        let bench = try Self.run("8 restart 9600", baud: 115_200)
        #expect(bench.chunks.map(\.baud).contains(115_200) && bench.receiver.baud == 9_600)
        #expect((6...8).contains(bench.frames(0x0107).count))
        #expect(bench.text.components("u-blox AG") == 3)
    }

    @Test("F-20: the position stands to the last digit while time and speed go on")
    func freeze() throws {
        let bench = try Self.run("200 freeze for 60", seconds: 270)
        let places = Set(bench.frames(0x0107)[205..<255].map { $0.payload[24..<32] })
        #expect(places.count == 1)
        #expect(Set(bench.frames(0x0107)[205..<255].map { $0.u4(0) }).count == 50)
    }

    @Test("E-016, E-017, E-018, E-021, E-022, E-032: geometry and quality as the script says")
    func quality() throws {
        func gga(_ fault: String) throws -> [String] { try #require(try Self.run("0 " + fault).sentences("GGA").last) }
        #expect(try gga("hdop")[8] == "99.99")
        #expect(try gga("estimated")[6] == "6")
        #expect(try gga("manual")[6] == "7")
        #expect(try gga("simulated")[6] == "8")
        #expect(try gga("satellites 3")[7] == "03")
        #expect(try gga("null-island")[2] == "0000.00000")
        let flat = try Self.run("0 2d")
        #expect(flat.sentences("GSA").last?[2] == "2")
        #expect(flat.frames(0x0107).last?.u1(20) == 2)
    }

    @Test("E-023: an open antenna ends the fix")
    func antenna() throws {
        let bench = try Self.run("5 antenna-open")
        #expect(bench.sentences("RMC").last?[2] == "V" && bench.sentences("RMC")[3][2] == "A")
    }

    @Test("F-01, F-07, F-10, F-11, F-17: spoilt sentences, long frames and console text stand in the stream")
    func spoiltStream() throws {
        let cut = try Self.run("5 truncated")
        #expect(cut.sentences("RMC").filter { $0.count < 10 }.count == 1)
        let long = try Self.run("5 overlong 300")
        #expect(long.bytes.split(separator: 0x0A).contains { $0.count > 300 })
        let big = try Self.run("5 big-frame 220")
        #expect(big.frames(0x0A04).map(\.payload.count) == [220])
        let bad = try Self.run("5 bad-length")
        #expect(bad.bytes.indices.contains { bad.bytes[$0...].starts(with: [0xB5, 0x62, 5, 1, 0xB5, 0x62]) })
        let console = try Self.run("5 console")
        #expect(console.text.contains("raspberrypi login: ") && console.text.contains("[   12.345678] usb 1-1"))
        for bench in [long, big, bad, console] { #expect(Set(Self.clocks(bench)).count >= 19) }
    }

    @Test("F-14: epochs come up to 600 ms late, and a gap of 2.5 s can be had by silence")
    func jitter() throws {
        var bench = try ReceiverBench(.ublox8, faults: "0 jitter 300\n30 silence for 2.5")
        var latencies: [Int64] = []
        for _ in 0..<60 {
            bench.run(seconds: 1)
            latencies.append(bench.receiver.latencyMillis)
        }
        #expect(latencies.allSatisfy { (60...660).contains($0) })
        #expect((latencies.max() ?? 0) > 500 && (latencies.min() ?? 0) < 200)
        let seconds = Self.clocks(bench).compactMap { Int($0.prefix(6)) }.map { $0 % 100 }
        #expect(zip(seconds, seconds.dropFirst()).contains { $1 - $0 >= 3 })
    }

    @Test("A tunnel of the journey is dark and the fix comes back worse for a while")
    func tunnel() throws {
        var bench = try ReceiverBench(.ublox8, baud: 115_200, journey: "tunnel")
        bench.send(0x0601, [0x01, 0x07, 1])
        bench.run(seconds: bench.receiver.journey.durationSeconds)
        let solutions = bench.frames(0x0107).dropFirst(5)
        #expect((58...64).contains(solutions.filter { $0.u1(20) == 0 }.count))
        let back = zip(solutions, solutions.dropFirst()).first { $0.u1(20) == 0 && $1.u1(20) == 3 }
        #expect(back?.1.u4(40) == 25_000)
    }
}

extension String {
    /// Pieces between occurrences.
    fileprivate func components(_ mark: String) -> Int {
        var count = 1
        var rest = self[...]
        while let range = rest.firstRange(of: mark) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
