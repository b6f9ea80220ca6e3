import TestKit
import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Finding the receiver's speed")
struct ReceiverFinderTests {
    /// A finder with its clock, and a line that opens or does not.
    struct Bench {
        var finder: ReceiverFinder
        var now = Instant.zero
        var log: [String] = []
        var candidates = 1
        var opens = true

        init(fixed: Int? = nil, lastGood: Int? = nil) {
            finder = ReceiverFinder(fixedBaud: fixed, lastGood: lastGood)
        }

        mutating func send(_ event: ReceiverFinder.Event) {
            var actions: [ReceiverFinder.Action] = []
            finder.handle(event, at: now, into: &actions)
            for action in actions {
                switch action {
                case .open(let candidate, let baud):
                    log.append("\(now.millis) open \(candidate) \(baud)")
                    send(opens ? .opened(candidates: candidates) : .openFailed(candidates: candidates))
                case .setBaud(let baud): log.append("\(now.millis) \(baud)")
                case .close: log.append("\(now.millis) close")
                case .lock(let baud): log.append("\(now.millis) lock \(baud)")
                case .unlock: log.append("\(now.millis) unlock")
                case .complain(let complaint): log.append("\(now.millis) \(complaint)")
                }
            }
        }

        /// Goes on to a time, answering every deadline on the way.
        mutating func advance(toMillis millis: Int64) {
            let target = Instant(millis: millis)
            while finder.deadline <= target {
                now = max(now, finder.deadline)
                send(.timerFired)
            }
            now = target
        }
    }

    @Test("The last good speed is first, then the usual ones, each for 1.1 s of noise (F-13)")
    func order() {
        var bench = Bench(lastGood: 57_600)
        bench.send(.started)
        for tick in 1..<45 {
            bench.advance(toMillis: Int64(tick) * 200)
            bench.send(.bytes(frames: 0))
        }
        #expect(
            bench.log == [
                "0 open 0 57600", "1100 9600", "2200 38400", "3300 115200", "4400 4800", "5500 230400", "6600 460800",
                "7700 921600", "8800 57600",
            ])
    }

    @Test("One valid frame keeps a speed for three periods, two lock it (F-14)")
    func proven() {
        var bench = Bench()
        bench.send(.started)
        bench.advance(toMillis: 900)
        bench.send(.bytes(frames: 1))
        bench.advance(toMillis: 3_800)
        #expect(bench.log == ["0 open 0 9600"])
        bench.advance(toMillis: 3_950)
        #expect(bench.log == ["0 open 0 9600", "3900 38400"])
        bench.send(.bytes(frames: 1))
        bench.send(.bytes(frames: 1))
        #expect(bench.log.last == "3950 lock 38400")
    }

    @Test("1 Hz with ±300 ms of jitter, noise between and gaps of 2.5 s never costs the lock (F-14)")
    func jitter() {
        var random = SeededRandom(seed: 14)
        var bench = Bench(lastGood: 38_400)
        bench.send(.started)
        var second: Int64 = 0
        for epoch in 0..<2_000 {
            second += epoch % 50 == 49 ? 3 : 1
            let at = second * 1_000 + Int64.random(in: -300...300, using: &random)
            // A reader sees an epoch in pieces, the first and the last without a whole sentence.
            for (offset, frames) in [(Int64(0), 0), (60, 2), (120, 3), (170, 0)] {
                bench.advance(toMillis: at + offset)
                bench.send(.bytes(frames: frames))
            }
            if epoch % 7 == 0 {
                bench.advance(toMillis: at + 600)
                bench.send(.bytes(frames: 0))
            }
        }
        #expect(bench.log.count == 2, "\(bench.log)")
        #expect(bench.log.last?.hasSuffix("lock 38400") == true)
    }

    @Test(
        "Any speed is found in one sweep from any phase of the receiver, with jitter",
        arguments: ReceiverFinder.rates)
    func oneSweep(baud: Int) {
        var random = SeededRandom(seed: UInt64(baud))
        for _ in 0..<200 {
            let phase = Int64.random(in: 0..<1_000, using: &random)
            var bench = Bench()
            bench.send(.started)
            var second: Int64 = 0
            while !bench.finder.isLocked, second < 30 {
                let at = phase + second * 1_000 + Int64.random(in: -100...100, using: &random)
                for piece in 0..<6 {
                    bench.advance(toMillis: max(bench.now.millis, at + Int64(piece) * 80))
                    bench.send(.bytes(frames: bench.finder.baud == baud && piece > 0 ? 1 : 0))
                }
                second += 1
            }
            let place = Int64(ReceiverFinder.rates.firstIndex(of: baud) ?? 99)
            #expect(bench.now.millis <= (place + 1) * 1_600 + 1_000, "phase \(phase)")
            #expect(bench.log.count == Int(place) + 2, "phase \(phase): \(bench.log)")
        }
    }

    @Test(
        "A receiver that falls back to 9 600 is found again within 7 s (E-005)", arguments: [115_200, 4_800, 460_800])
    func reset(baud: Int) {
        var bench = Bench(lastGood: baud)
        bench.send(.started)
        bench.send(.bytes(frames: 2))
        bench.advance(toMillis: 1_000)
        bench.send(.bytes(frames: 2))
        for tick in 11..<80 where bench.finder.baud == baud || !bench.finder.isLocked {
            bench.advance(toMillis: Int64(tick) * 100)
            if tick % 10 < 4 { bench.send(.bytes(frames: bench.finder.baud == 9_600 ? 1 : 0)) }
        }
        #expect(bench.finder.isLocked && bench.finder.baud == 9_600)
        #expect(bench.now.millis <= 1_000 + 7_000)
        #expect(bench.log.contains { $0.hasSuffix("unlock") })
    }

    @Test("Silence of a locked receiver closes after 10 s and opens again after 1, 2, 5, 10, 30, 30 s")
    func silence() {
        var bench = Bench(fixed: 9_600)
        bench.send(.started)
        bench.send(.bytes(frames: 2))
        bench.advance(toMillis: 10_000)
        #expect(bench.log.suffix(3) == ["10000 unlock", "10000 fellSilent", "10000 close"])
        bench.opens = false
        bench.advance(toMillis: 100_000)
        #expect(
            bench.log.suffix(6) == [
                "11000 open 0 9600", "13000 open 0 9600", "18000 open 0 9600", "28000 open 0 9600", "58000 open 0 9600",
                "88000 open 0 9600",
            ])
    }

    @Test("A fixed speed is never left, and noise on it is told after 10 s")
    func fixed() {
        var bench = Bench(fixed: 38_400, lastGood: 9_600)
        bench.send(.started)
        for tick in 1...120 {
            bench.advance(toMillis: Int64(tick) * 100)
            bench.send(.bytes(frames: 0))
        }
        #expect(bench.log == ["0 open 0 38400", "10000 onlyNoise", "10000 close", "11000 open 0 38400"])
    }

    @Test("Several ports are tried in turn without waiting, and from the first again after a wait")
    func candidates() {
        var bench = Bench(fixed: 9_600)
        bench.candidates = 3
        bench.opens = false
        bench.send(.started)
        bench.advance(toMillis: 1_000)
        #expect(bench.log.map { $0.split(separator: " ")[2] } == ["0", "1", "2", "0", "1", "2"])
        #expect(bench.log.map { $0.split(separator: " ")[0] } == ["0", "0", "0", "1000", "1000", "1000"])
    }

    @Test("A receiver that speaks once in 5 s is found by longer and longer dwells")
    func slow() {
        var bench = Bench()
        bench.send(.started)
        var at: Int64 = 2_300
        while !bench.finder.isLocked, at < 300_000 {
            bench.advance(toMillis: at)
            bench.send(.bytes(frames: bench.finder.baud == 115_200 ? 2 : 0))
            at += 5_000
        }
        #expect(bench.finder.isLocked && bench.finder.baud == 115_200)
    }

    @Test("Noise in bursts, as a receiver of 2 to 4 Hz makes it, holds no speed longer than 1.6 s")
    func bursts() {
        for period: Int64 in [220, 250, 333, 400, 500] {
            var bench = Bench()
            bench.send(.started)
            for burst in 1...(13_000 / period) {
                bench.advance(toMillis: burst * period)
                bench.send(.bytes(frames: 0))
            }
            #expect(bench.log.contains { $0.hasSuffix(" 921600") }, "every \(period) ms: \(bench.log)")
        }
    }

    @Test("A speed that the line refuses is passed over")
    func refused() {
        var bench = Bench()
        bench.send(.started)
        bench.send(.rateRefused)
        bench.send(.rateRefused)
        #expect(bench.log == ["0 open 0 9600", "0 38400", "0 115200"])
    }

    @Test("An ordered speed is proven first, and the old one is next when the receiver did not obey")
    func ordered() {
        var bench = Bench(lastGood: 9_600)
        bench.send(.started)
        bench.send(.bytes(frames: 2))
        bench.send(.rateOrdered(115_200))
        for tick in 1...20 where !bench.finder.isLocked {
            bench.advance(toMillis: Int64(tick) * 100)
            bench.send(.bytes(frames: bench.finder.baud == 9_600 ? 2 : 0))
        }
        #expect(bench.log == ["0 open 0 9600", "0 lock 9600", "0 115200", "1100 9600", "1100 lock 9600"])
    }
}
