import DeviceSimulator
import Ports
import Testing
import TrackerModel

@testable import TrackerRuntime

/// The clock of a chip that a stalled reader falls behind of.
private final class ChipClock: Reactor {
    let reactor = ManualReactor()
    var aheadMillis: Int64 = 0

    var now: Instant { reactor.now.advanced(byMillis: aheadMillis) }
    var wall: WallReading { reactor.wall }
    func schedule(at deadline: Instant, toleranceMillis: Int64, _ fire: @escaping () -> Void) -> TimerID {
        reactor.schedule(at: deadline, toleranceMillis: toleranceMillis, fire)
    }
    func cancel(_ timer: TimerID) { reactor.cancel(timer) }
    func makeSignal(_ raised: @escaping () -> Void) -> any LoopSignal { reactor.makeSignal(raised) }
}

/// A link on a simulated chip, and what it has told.
private final class LinkBench {
    let clock = ChipClock()
    var reactor: ManualReactor { clock.reactor }
    let link: AccelerometerLink
    var steps: [StepReading] = []
    var labels: [ActivityLabel] = []
    var problems: [String] = []

    /// Changes the rate from within what the link tells, as an engine that wakes does.
    func changeRateOnSteps() {
        link.onActivity = { [unowned self] label in
            labels.append(label)
            link.setMoving(label.activity != .still)
        }
    }

    init(_ script: String) throws {
        let bus = SimulatedBus(motion: try MotionScript(text: script), reactor: clock)
        link = AccelerometerLink(bus: bus, settings: .init(rateHz: 50), reactor: clock.reactor)
        link.onLost = { [unowned self] problem, isNews in if isNews { problems.append(problem) } }
        link.onSteps = { [unowned self] in steps.append($0) }
        link.onActivity = { [unowned self] in labels.append($0) }
        link.start()
    }

    func run(toSecond second: Int64) { reactor.advance(to: Instant(millis: second * 1_000)) }
}

@Suite("Steps and activity from the chip")
struct AccelerometerLinkTests {
    @Test("A walk of 216 steps is counted while moving, and no count is given at the rate of a resting device (A-16)")
    func walk() throws {
        let bench = try LinkBench("still 60\nwalking 120\nstill 60\nwalking 60")
        bench.run(toSecond: 50)
        #expect(bench.steps.isEmpty)
        #expect(bench.labels.map(\.activity) == [.still, .still])
        #expect(bench.labels.last?.confidence == 100)

        bench.link.setMoving(true)
        bench.run(toSecond: 190)
        let total = try #require(bench.steps.last).total
        #expect((205...227).contains(total), "\(total) steps")
        #expect(bench.steps.allSatisfy { $0.since == bench.steps.first?.since })
        #expect(bench.labels.contains { $0.activity == .walking && $0.confidence == 100 })

        bench.link.setMoving(false)
        let count = bench.steps.count
        bench.run(toSecond: 240)
        #expect(bench.steps.count == count)
        #expect(bench.labels.last?.activity == .still)

        bench.link.setMoving(true)
        bench.run(toSecond: 300)
        let second = try #require(bench.steps.last)
        #expect(second.since.millis >= 240_000)
        #expect((102...114).contains(second.total), "\(second.total) steps")
    }

    @Test("After a fault of the bus steps are counted anew")
    func fault() throws {
        let bench = try LinkBench("walking 60\nfault 5\nwalking 60")
        bench.link.setMoving(true)
        bench.run(toSecond: 60)
        let first = try #require(bench.steps.last)
        #expect((102...114).contains(first.total), "\(first.total) steps")
        bench.run(toSecond: 125)
        #expect(bench.problems.count == 1)
        let second = try #require(bench.steps.last)
        #expect(second.since.millis >= 65_000)
        #expect((90...108).contains(second.total), "\(second.total) steps")
    }

    @Test("A stalled reader loses what the FIFO cannot hold, and counts anew from there (E-107)")
    func overrun() throws {
        let bench = try LinkBench("walking 120")
        bench.link.setMoving(true)
        bench.run(toSecond: 60)
        bench.clock.aheadMillis = 3_000
        bench.run(toSecond: 120)
        let last = try #require(bench.steps.last)
        #expect((59_000...61_000).contains(last.since.millis))
        #expect((102...114).contains(last.total), "\(last.total) steps")
    }

    @Test("A measured speed takes the certainty from a stillness at once")
    func speed() throws {
        let bench = try LinkBench("still 60")
        bench.run(toSecond: 30)
        #expect(bench.labels.last?.confidence == 100)
        let now = bench.reactor.now
        let place = Coordinate(latitude: 47, longitude: 8)
        var fix = TrackFix(time: nil, instant: now, receivedAt: now, coordinate: place, accuracyM: 5, speedMps: 4)
        fix.speedAccuracyMps = 0.2
        fix.isMock = true
        bench.link.speedMeasured(by: fix)
        #expect(bench.labels.last?.confidence == 100)
        fix.isMock = false
        bench.link.speedMeasured(by: fix)
        #expect(bench.labels.last?.activity == .still)
        #expect(bench.labels.last?.confidence == 33)
    }

    @Test("A change of rate asked for in the middle of a read leaves one reading timer, however often")
    func oneTimer() throws {
        let bench = try LinkBench(Array(repeating: "still 30\nwalking 30", count: 10).joined(separator: "\n"))
        bench.changeRateOnSteps()
        for second in stride(from: Int64(20), through: 600, by: 20) {
            bench.run(toSecond: second)
            #expect(bench.reactor.timerCount == 1, "\(second) s")
        }
        #expect(bench.labels.contains { $0.activity == .walking } && bench.labels.count > 10)
        #expect(bench.problems.isEmpty)
    }
}
