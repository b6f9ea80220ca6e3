import MotionSensing
import Ports
import TrackerModel

/// Finds the accelerometer on a bus, configures it, drains its FIFO on a timer, turns samples into stillness, steps and
/// activity, and recovers from faults by itself (spec capture §13.1). One timer runs at any time.
final class AccelerometerLink {
    /// Sampling while the device rests (spec power §2): 10 Hz at least, one read a second.
    private static let restingHz = 10.0
    private static let restingReadMillis: Int64 = 1_000
    /// Samples of a read while moving (spec capture §13.1).
    private static let watermark = 25
    /// Time without samples that is a fault.
    private static let gapNanos: Int64 = 200_000_000
    /// Identical triples that are one.
    private static let frozenCount = 50

    let bus: any RegisterBus
    let reactor: any Reactor
    private let settings: Settings
    var onReading: (StillnessReading) -> Void = { _ in }
    /// At every fault; `isNews` for the first in a row.
    var onLost: (_ problem: String, _ isNews: Bool) -> Void = { _, _ in }
    /// A row of faults is over for good.
    var onRecovered: () -> Void = {}
    /// Once a second while steps are counted: not at the rate of a resting device.
    var onSteps: (StepReading) -> Void = { _ in }
    /// Every sample, as many as were read together.
    var onSamples: ([MotionSample]) -> Void = { _ in }
    var onActivity: (ActivityLabel) -> Void = { _ in }
    /// A note for people; the part before `:` is a stable name.
    var onDiagnostic: (String) -> Void = { _ in }

    var detectors = MotionDetectors()
    var health = AccelerometerHealth()
    private(set) var chip: (any AccelerometerChip)?
    private(set) var wantsMovingRate = false
    private(set) var isMovingRate = false
    /// A change of rate that a sample just being handed on asks for is made when all of them are.
    private var isTaking = false
    /// Reading the FIFO, which steps and a self-test interrupt.
    private(set) var isReading = false
    private(set) var lastRead = Instant.zero
    /// The first sample since the start, and how many were the same.
    private var unproven: (sample: MotionSample, count: Int)?
    private var row = FaultRow()
    /// The last read before it failed.
    private var goneSince: Instant?
    var timer: TimerID?
    /// The interrupt line, which firings of it count, and whether the chip watches instead of being read.
    var wakeLine: (any DigitalInput)?
    var wakeGate = WakeGate()
    var isArmed = false
    /// What tells the asker how a running self-test ends.
    var selfTestReply: SelfTestReply?

    private(set) var state = State.off
    private(set) var lastReading: StillnessReading?
    private(set) var problem: String?
    /// Reads that came too late for the FIFO.
    private(set) var overruns: Int64 = 0

    init(bus: any RegisterBus, settings: Settings, reactor: any Reactor) {
        self.bus = bus
        self.settings = settings
        self.reactor = reactor
    }

    var name: String { bus.name }
    /// Of the present sampling.
    var rateHz: Double { chip?.rateHz(atLeast: isMovingRate ? Double(settings.rateHz) : Self.restingHz) ?? 0 }
    var movingRateHz: Double { chip?.rateHz(atLeast: Double(settings.rateHz)) ?? 0 }
    /// It does not work and did not come back at the first attempt, or repeats one value.
    var isFailing: Bool { state == .fault && row.isFailing || row.isFrozen && state != .ok }

    func start() { initialise() }

    func stop() {
        timer.map(reactor.cancel)
        timer = nil
        if let chip, state == .ok || state == .starting { try? perform(chip.powerDown[...]) {} }
        isReading = false
        isArmed = false
        state = .off
        endSelfTest(
            .failure(BusFailure(code: .absent, cause: "the accelerometer was switched off", remedy: "ask again later")))
    }

    /// Looks again at once for a chip that is failing.
    func probe() {
        if state == .fault { initialise() }
    }

    /// Changes the sampling; what is known of stillness and activity so far stays known, steps are counted anew.
    func setMoving(_ isMoving: Bool) {
        wantsMovingRate = isMoving
        if isArmed, isMoving { return restart() }
        guard !isTaking, isReading, isMoving != isMovingRate else { return }
        drain()
        if isReading, isMoving != isMovingRate { restart() }
    }

    /// What the receiver measured, which activities are told apart by.
    func speedMeasured(by fix: TrackFix) {
        if let label = detectors.take(speedOf: fix) { onActivity(label) }
    }

    private func initialise() {
        timer.map(reactor.cancel)
        timer = nil
        do throws(BusFailure) {
            let found = try AccelerometerSearch(address: settings.address).find(on: bus)
            chip = found
            state = .starting
            unproven = nil
            try perform(found.reset[...]) { [unowned self] in restart() }
        } catch { fail(error) }
    }

    /// Configures for the rate that is wanted, and reads on.
    func restart() {
        guard let chip else { return }
        isReading = false
        isArmed = false
        if isMovingRate != wantsMovingRate { detectors.rateChanged() }
        isMovingRate = wantsMovingRate
        do throws(BusFailure) {
            let steps = chip.configuration(rateHz: rateHz, watermark: Self.watermark)
            try perform(steps[...]) { [unowned self] in
                guard wantsMovingRate == isMovingRate else { return restart() }
                lastRead = reactor.now
                isReading = true
                scheduleRead()
            }
        } catch { fail(error) }
    }

    private func scheduleRead() {
        let millis = isMovingRate ? Int64(Double(Self.watermark) * 1_000 / rateHz) : Self.restingReadMillis
        // Early enough to go with what the receiver says each second, where there is one; late by no more than a tenth.
        let early = isMovingRate ? millis / 5 : 0
        after(millis - early, toleranceMillis: early + millis / 10) { [unowned self] in
            drain()
            armIfStill()
            // A change of rate has scheduled the next read itself.
            if isReading, timer == nil { scheduleRead() }
        }
    }

    private func drain() {
        guard let chip else { return }
        do throws(BusFailure) {
            let fifo = chip.fifoState(try read(chip.fifoStatus))
            let now = reactor.now
            let elapsed = now.nanos(since: lastRead)
            if fifo.isOverrun { return overrun(elapsed) }
            let period = Int64(1e9 / rateHz)
            let missing = elapsed - Int64(fifo.level) * period
            // A chip may be slow by an eighth, and its next sample almost there.
            if missing > Self.gapNanos + max(period, elapsed / 8) + settings.jitterMillis * 1_000_000 {
                throw BusFailure(
                    code: .io,
                    cause: "the \(chip.model) on \(bus.name) gave \(fifo.level) samples in \(elapsed / 1_000_000) ms",
                    remedy: "check its supply; it is started again")
            }
            guard fifo.level > 0 else { return }
            let bytes = try read(chip.fifoReads(count: fifo.level))
            lastRead = now
            health.sampled(fifo.level, inNanos: elapsed, isMovingRate: isMovingRate)
            if row.hasEnded(at: now, isOK: state == .ok) { onRecovered() }
            prove(chip.format.samples(bytes, newest: now, periodNanos: elapsed / Int64(fifo.level)))
        } catch { fail(error) }
    }

    /// Something else is done with the chip: what was known of the motion ends here.
    func pauseReading() {
        timer.map(reactor.cancel)
        timer = nil
        isReading = false
        lastReading = nil
        detectors.clear()
    }

    /// The host was late. What was known ends in the hole, and so does the FIFO's content: it may begin anywhere.
    private func overrun(_ elapsed: Int64) {
        overruns += 1
        // On a clock that runs faster than life every wake-up is late by the bench's fault, not by the device's.
        let held = Int64(Double(chip?.fifoDepth ?? 0) * 1e9 / rateHz)
        if abs(elapsed - held) > settings.jitterMillis * 1_000_000 { health.lost(nanos: elapsed) }
        detectors.clear()
        lastReading = nil
        restart()
    }

    /// A chip that repeats one value does not measure: nothing of it is used before two samples differ.
    private func prove(_ samples: [MotionSample]) {
        guard state == .starting else { return take(samples) }
        for sample in samples {
            let first = unproven?.sample ?? sample
            if (first.x, first.y, first.z) != (sample.x, sample.y, sample.z) {
                state = .ok
                problem = nil
                if let since = goneSince { health.lost(nanos: sample.instant.nanos(since: since)) }
                goneSince = nil
                return take(samples)
            }
            unproven = (first, (unproven?.count ?? 0) + 1)
        }
        if unproven.map({ $0.count > Self.frozenCount }) ?? false { failFrozen() }
    }

    private func take(_ samples: [MotionSample]) {
        onSamples(samples)
        isTaking = true
        for sample in samples {
            let found = detectors.take(sample, countsSteps: isMovingRate)
            if let reading = found.stillness {
                lastReading = reading
                health.heard(rmsG: reading.rmsG)
                onReading(reading)
            }
            if let reading = found.steps { onSteps(reading) }
            if let label = found.activity { onActivity(label) }
        }
        isTaking = false
        if detectors.isStuck { return failFrozen() }
        if isReading, wantsMovingRate != isMovingRate { restart() }
    }

    private func failFrozen() {
        row.isFrozen = true
        fail(
            BusFailure(
                code: .io, cause: "the \(chip?.model ?? "chip") on \(bus.name) repeats one value",
                remedy: "power-cycle it"))
    }

    /// Ends what was going on; the next attempt comes by itself, for ever.
    func fail(_ failure: BusFailure) {
        if state == .ok { goneSince = lastRead }
        state = .fault
        isReading = false
        isArmed = false
        problem = "\(failure.cause); \(failure.remedy)"
        lastReading = nil
        detectors.clear()
        let (wait, isNews) = row.failed(at: reactor.now)
        after(wait, toleranceMillis: wait / 10) { [unowned self] in initialise() }
        endSelfTest(.failure(failure))
        onLost(problem ?? "", isNews)
    }
}
