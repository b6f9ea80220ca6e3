import MotionSensing
import Ports
import TrackerModel

/// Finds the accelerometer on a bus, configures it, drains its FIFO on a timer, turns samples into stillness, steps and
/// activity, and recovers from faults by itself (spec capture §13.1). One timer runs at any time.
final class AccelerometerLink {
    /// Sampling while the device rests (spec power §2): 10 Hz at least, one read a second.
    static let restingHz = 10.0
    private static let restingReadMillis: Int64 = 1_000
    /// Samples of a read while moving (spec capture §13.1).
    static let watermark = 25

    /// `nil`: there is the stream alone.
    let bus: (any RegisterBus)?
    /// What the kernel may have in the bus's place; `nil`: it is not asked.
    let stream: (any MotionStream)?
    let reactor: any Reactor
    let settings: Settings
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
    /// Of the driver of the kernel that is listened to in a chip's place.
    var driven: MotionStreamFacts?
    /// What that driver samples at while moving; `nil` before it first did.
    var drivenMovingHz: Double?
    private(set) var wantsMovingRate = false
    private(set) var isMovingRate = false
    /// A change of rate that a sample just being handed on asks for is made when all of them are.
    var isTaking = false
    /// Reading the FIFO, which steps and a self-test interrupt.
    var isReading = false
    var lastRead = Instant.zero
    /// The first sample since the start, and how many were the same.
    var unproven: (sample: MotionSample, count: Int)?
    var row = FaultRow()
    /// The last read before it failed.
    var goneSince: Instant?
    let alarm: Alarm
    /// The interrupt line, which firings of it count, and whether the chip watches instead of being read.
    var wakeLine: (any DigitalInput)?
    var wakeGate = WakeGate()
    var isArmed = false
    /// What tells the asker how a running self-test ends.
    var selfTestReply: SelfTestReply?

    var state = State.off
    var lastReading: StillnessReading?
    var problem: String?
    /// Reads that came too late for the FIFO.
    private(set) var overruns: Int64 = 0

    init(
        bus: (any RegisterBus)?, stream: (any MotionStream)? = nil, settings: Settings, reactor: any Reactor
    ) {
        self.bus = bus
        self.stream = stream
        self.settings = settings
        self.reactor = reactor
        alarm = Alarm(reactor)
    }

    var name: String { (driven == nil ? bus?.name : nil) ?? stream?.name ?? "" }
    var model: String? { driven?.model ?? chip?.model }
    /// Of the present sampling.
    var rateHz: Double {
        driven?.rateHz ?? chip?.rateHz(atLeast: isMovingRate ? Double(settings.rateHz) : Self.restingHz) ?? 0
    }
    var movingRateHz: Double {
        if let driven {
            return driven.polledBecause != nil ? driven.rateHz : drivenMovingHz ?? Double(settings.rateHz)
        }
        return chip?.rateHz(atLeast: Double(settings.rateHz)) ?? Double(settings.rateHz)
    }
    /// It does not work and did not come back at the first attempt, or repeats one value.
    var isFailing: Bool { state == .fault && row.isFailing || row.isFrozen && state != .ok }

    func start() { initialise() }

    func stop() {
        alarm.cancel()
        if let chip, state == .ok || state == .starting { try? perform(chip.powerDown[...]) {} }
        closeStream()
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
        alarm.cancel()
        closeStream()
        unproven = nil
        do throws(BusFailure) {
            chip = try findChip()
            state = .starting
            if let chip { try perform(chip.reset[...]) { [unowned self] in restart() } }
        } catch { fail(error) }
    }

    /// `nil` once a driver of the kernel is listened to in its place.
    private func findChip() throws(BusFailure) -> (any AccelerometerChip)? {
        guard let bus else {
            if let stream { try openStream(stream) }
            return nil
        }
        do throws(BusFailure) { return try AccelerometerSearch(address: settings.address).find(on: bus) } catch {
            guard let stream, error.code == .held || settings.takesAnyDriver else { throw error }
            do throws(BusFailure) { try openStream(stream) } catch let refusal {
                // Neither: the bus says more.
                throw refusal.code == .absent ? error : refusal
            }
            return nil
        }
    }

    /// Configures for the rate that is wanted, and reads on.
    func restart() {
        isReading = false
        isArmed = false
        takeRate()
        do throws(BusFailure) {
            if let stream, driven != nil { return try openStream(stream) }
            guard let chip else { return }
            let steps = chip.configuration(rateHz: rateHz, watermark: Self.watermark)
            try perform(steps[...]) { [unowned self] in
                guard wantsMovingRate == isMovingRate else { return restart() }
                lastRead = reactor.now
                isReading = true
                scheduleRead()
            }
        } catch { fail(error) }
    }

    /// From here on samples come at the rate that is wanted.
    func takeRate() {
        if isMovingRate != wantsMovingRate { detectors.rateChanged() }
        isMovingRate = wantsMovingRate
    }

    private func scheduleRead() {
        let millis = isMovingRate ? Int64(Double(Self.watermark) * 1_000 / rateHz) : Self.restingReadMillis
        // Early enough to go with what the receiver says each second, where there is one; late by no more than a tenth.
        let early = isMovingRate ? millis / 5 : 0
        after(millis - early, toleranceMillis: early + millis / 10) { [unowned self] in
            drain()
            armIfStill()
            // A change of rate has scheduled the next read itself.
            if isReading, !alarm.isSet { scheduleRead() }
        }
    }

    private func drain() {
        guard let chip else { return }
        do throws(BusFailure) {
            let fifo = chip.fifoState(try read(chip.fifoStatus))
            let now = reactor.now
            let elapsed = now.nanos(since: lastRead)
            if fifo.isOverrun { return overrun(elapsed) }
            try expect(fifo.level, inNanos: elapsed)
            guard fifo.level > 0 else { return }
            let bytes = try read(chip.fifoReads(count: fifo.level))
            received(chip.format.samples(bytes, newest: now, periodNanos: elapsed / Int64(fifo.level)), at: now)
        } catch { fail(error) }
    }

    /// Something else is done with the chip: what was known of the motion ends here.
    func pauseReading() {
        alarm.cancel()
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

    /// Ends what was going on; the next attempt comes by itself, for ever.
    func fail(_ failure: BusFailure) {
        if state == .ok { goneSince = lastRead }
        closeStream()
        state = .fault
        isReading = false
        isArmed = false
        problem = failure.message
        lastReading = nil
        detectors.clear()
        let (wait, isNews) = row.failed(at: reactor.now)
        after(wait, toleranceMillis: wait / 10) { [unowned self] in initialise() }
        endSelfTest(.failure(failure))
        onLost(problem ?? "", isNews)
    }
}
