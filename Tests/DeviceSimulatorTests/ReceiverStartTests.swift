import GNSSCodecs
import Testing
import TrackerGeo
import TrackerModel

@testable import DeviceSimulator

@Suite("Simulated receiver: starts, output and pace")
struct ReceiverStartTests {
    private static func withPVT(
        _ family: SimulatedFamily = .ublox8, start: ReceiverStart, faults: String = "", journey: String = "urban-drive"
    ) throws -> ReceiverBench {
        var bench = try ReceiverBench(family, start: start, baud: 115_200, faults: faults, journey: journey)
        if family == .ublox10 {
            bench.send(0x068A, valueCommand(1, 0x2091_0007, 1, 1))
        } else {
            bench.send(0x0601, [0x01, 0x07, 1])
        }
        return bench
    }

    @Test("E-026: a cold start has no time, then time, then a fix after half a minute at 500, 65, 50, 30 m")
    func cold() throws {
        var bench = try Self.withPVT(start: .cold)
        bench.run(seconds: 60.5)
        let solutions = bench.frames(0x0107)
        #expect(solutions.count == 60)
        #expect(solutions.prefix(6).allSatisfy { $0.u1(11) == 0 && $0.u1(20) == 0 })
        let dated = try #require(solutions.firstIndex { $0.u1(11) == 7 })
        let fixed = try #require(solutions.firstIndex { $0.u1(20) == 3 })
        #expect(dated < fixed && (27...33).contains(fixed))
        var accuracies = solutions[fixed...].map { $0.u4(40) }
        accuracies = accuracies.enumerated().filter { $0.offset == 0 || accuracies[$0.offset - 1] != $0.element }.map(
            \.element)
        #expect(accuracies.prefix(4) == [500_000, 65_000, 50_000, 30_000])
        #expect(bench.sentences("RMC").first.map { $0[1].isEmpty && $0[9].isEmpty } == true)
    }

    @Test("A warm start knows the time at once and takes some 25 s; a hot one takes one")
    func warmAndHot() throws {
        for (start, range) in [(ReceiverStart.warm, 22...28), (.hot, 0...2)] {
            var bench = try Self.withPVT(start: start)
            bench.run(seconds: 40)
            let solutions = bench.frames(0x0107)
            #expect(solutions.first?.u1(11) == 7)
            #expect(range.contains(try #require(solutions.firstIndex { $0.u1(20) == 3 })))
        }
    }

    @Test("E-025: a hot start shows its last position flagged as no fix before it locks")
    func lastPosition() throws {
        var bench = try Self.withPVT(start: .hot, faults: "0 no-fix for 5")
        bench.run(seconds: 4)
        let first = try #require(bench.frames(0x0107).first)
        #expect(first.u1(20) == 0 && first.u1(21) & 1 == 0 && first.i4(28) != 0)
        let rmc = try #require(bench.sentences("RMC").first)
        #expect(rmc[2] == "V" && !rmc[3].isEmpty)
    }

    @Test("F-29: a MediaTek without time counts from 1980", arguments: [ReceiverStart.cold])
    func mediatekTime(start: ReceiverStart) throws {
        var bench = try ReceiverBench(.mtk, start: start)
        bench.run(seconds: 5)
        #expect(bench.sentences("RMC").first?[9] == "060180")
        #expect(bench.sentences("RMC").first?[2] == "V")
    }

    @Test(
        "Positions are near the truth in every protocol",
        arguments: [SimulatedFamily.ublox8, .ublox10])
    func truth(family: SimulatedFamily) throws {
        var bench = try Self.withPVT(family, start: .hot)
        bench.run(seconds: 300.5)
        let solutions = bench.frames(0x0107)
        let journey = bench.receiver.journey
        for frame in solutions.dropFirst(10) {
            #expect(frame.payload.count == 92)
            let place = Coordinate(latitudeE7: Int32(frame.i4(28)), longitudeE7: Int32(frame.i4(24)))
            let seconds = Double(frame.u4(0) - solutions[0].u4(0)) / 1_000 + 1
            let truth = journey.trueState(at: seconds)
            let offset = LocalFrame(origin: truth.position).offset(of: place)
            #expect((offset.east * offset.east + offset.north * offset.north).squareRoot() < 25)
            #expect(abs(Double(frame.i4(60)) / 1_000 - truth.speedMps) < 1)
        }
    }

    @Test("The tracker's decoder makes one fix of every epoch of every family", arguments: SimulatedFamily.allCases)
    func decoded(family: SimulatedFamily) throws {
        var bench = try ReceiverBench(family, baud: 115_200, journey: "walk")
        bench.run(seconds: 120.9)
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        var fixes: [TrackFix] = []
        func take(_ output: GNSSOutput) {
            if case .fix(let fix) = output { fixes.append(fix) }
        }
        for chunk in bench.chunks { decoder.feed(chunk.bytes, at: chunk.startedAt, take) }
        decoder.finish(take)
        #expect(fixes.count >= 117)
        #expect(Set(fixes.compactMap(\.time)).count == fixes.count)
    }

    @Test("A u-blox 6 tells its fix in parts, with the position in the axes of the earth")
    func parts() throws {
        var bench = try ReceiverBench(.ublox6, baud: 115_200)
        let parts: [(id: UInt16, size: Int)] = [
            (0x0106, 52), (0x0102, 28), (0x0112, 36), (0x0121, 20), (0x0103, 16), (0x0104, 18),
        ]
        for part in parts { bench.send(0x0601, [UInt8(part.id >> 8), UInt8(part.id & 0xFF), 1]) }
        bench.run(seconds: 10.5)
        for part in parts {
            let frames = bench.frames(part.id)
            #expect(frames.count >= 9 && frames.allSatisfy { $0.payload.count == part.size })
            #expect(frames.last?.u4(0) == bench.frames(0x0102).last?.u4(0))
        }
        let solution = try #require(bench.frames(0x0106).last)
        let axes = [12, 16, 20].map { Double(solution.i4($0)) / 100 }
        let distance = axes.reduce(0) { $0 + $1 * $1 }.squareRoot()
        // At 47° N on the ellipsoid.
        #expect((6_365_000...6_369_000).contains(distance))
        #expect(solution.u1(10) == 3)
    }

    @Test("Satellites, antenna and interference are told", arguments: [SimulatedFamily.ublox8, .ublox10])
    func reports(family: SimulatedFamily) throws {
        var bench = try ReceiverBench(family, baud: 115_200, faults: "5 antenna-short\n5 jammed 240\n5 spoofed 3")
        let radio: UInt16 = family == .ublox8 ? 0x0A09 : 0x0A38
        for second in [3.0, 5.0] {
            bench.run(seconds: second)
            for id in [0x0135, 0x0103, radio] { bench.send(id) }
        }
        bench.run(seconds: 1)
        let sky = try #require(bench.frames(0x0135).first)
        #expect(sky.payload.count == 8 + 12 * sky.u1(5) && sky.u1(5) > 20)
        #expect(bench.frames(0x0103).map { $0.u1(7) >> 3 & 3 } == [1, 3])
        let (antenna, jamming) = family == .ublox8 ? (20, 45) : (6, 20)
        #expect(bench.frames(radio).map { $0.u1(antenna) } == [2, 3])
        #expect(bench.frames(radio).map { $0.u1(jamming) } == [5, 240])
    }

    @Test("Bytes leave at a tenth of the baud", arguments: [4_800, 9_600, 115_200])
    func pace(baud: Int) {
        var line = PacedLine(baud: baud)
        line.send([UInt8](repeating: 0x55, count: 960), at: Instant(millis: 1_000))
        #expect(line.take(until: Instant(millis: 1_000)).isEmpty)
        let half = Int64(960 * 10_000 / baud / 2)
        let first = line.take(until: Instant(millis: 1_000 + half)).reduce(0) { $0 + $1.bytes.count }
        #expect(abs(first - 480) <= baud / 10_000 + 1)
        let rest = line.take(until: Instant(millis: 1_002 + 2 * half))
        #expect(rest.reduce(first) { $0 + $1.bytes.count } == 960)
        #expect(line.leaving(1) == .never)
    }

    @Test("E-008: a flooded line lags and then drops whole messages")
    func flood() throws {
        var bench = try ReceiverBench(.ublox8, faults: "3 flood 10")
        bench.run(seconds: 30)
        #expect(bench.receiver.droppedMessages > 50)
        let lag = try #require(bench.sentences("RMC").last)
        let shown = try #require(Double(lag[1]))
        #expect(30 - (shown - 70_000) > 1, "the last sentence is older than a second")
        #expect(bench.bytes.count <= 30 * 960)
        let whole = bench.bytes.split(separator: 0x0A).dropFirst().dropLast().count
        #expect(bench.sentences.count >= whole)
    }

    @Test("The same seed gives the same bytes, another one others", arguments: SimulatedFamily.allCases)
    func determinism(family: SimulatedFamily) throws {
        func recording(_ seed: UInt64, step: Double) throws -> [UInt8] {
            var bench = try ReceiverBench(
                family, start: .warm, faults: "5 lose 200\n9 flip 300\n20 console", seed: seed)
            for _ in 0..<Int(60 / step) { bench.run(seconds: step) }
            return bench.bytes
        }
        let one = try recording(7, step: 10)
        #expect(try recording(7, step: 10) == one)
        #expect(try recording(8, step: 10) != one)
    }

    @Test("How often somebody looks does not change what is sent")
    func stepping() throws {
        var (often, seldom) = (try ReceiverBench(.ublox8), try ReceiverBench(.ublox8))
        for _ in 0..<3_000 { often.run(seconds: 0.01) }
        seldom.run(seconds: 30)
        #expect(often.bytes == seldom.bytes)
    }
}
