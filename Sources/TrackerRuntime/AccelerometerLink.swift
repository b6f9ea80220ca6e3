import MotionSensing
import Ports
import TrackerModel

/// Reads a LIS3DH through its bus: configures it, drains its FIFO on a timer, turns samples into stillness, steps and
/// activity, and recovers from faults by itself.
final class AccelerometerLink {
    enum State: String {
        case off
        case ok
        case fault
    }

    /// Waits between attempts to initialise, the last one repeats (spec capture §13.1).
    static let backoffMillis: [Int64] = [100, 500, 2_000, 10_000]
    /// Sampling while the device rests (spec power §2): 10 Hz, one read a second.
    static let restingRateHz = 10
    static let restingReadMillis: Int64 = 1_000
    /// While moving a read drains about this many of the 32 samples that the FIFO holds.
    private static let movingBatch = 20

    private let bus: any RegisterBus
    private let reactor: any Reactor
    private let movingRateHz: Int
    private let onReading: (StillnessReading) -> Void
    private let onLost: (String) -> Void
    /// Once a second while steps are counted: not at the rate of a resting device.
    var onSteps: (StepReading) -> Void = { _ in }
    /// Every sample, as many as were read together.
    var onSamples: ([MotionSample]) -> Void = { _ in }
    var onActivity: (ActivityLabel) -> Void = { _ in }
    private var detectors = MotionDetectors()
    /// What a sample that is just being handed on asks for; it is done when all of them are.
    private var wantsMoving: Bool?
    private var isTaking = false
    private var rateHz = AccelerometerLink.restingRateHz
    private var lastRead = Instant.zero
    private var failures = 0
    private var timer: TimerID?

    private(set) var state = State.off
    private(set) var lastReading: StillnessReading?
    private(set) var problem: String?

    init(
        bus: any RegisterBus, rateHz: Int, reactor: any Reactor, onReading: @escaping (StillnessReading) -> Void,
        onLost: @escaping (String) -> Void
    ) {
        self.bus = bus
        self.reactor = reactor
        self.onReading = onReading
        self.onLost = onLost
        movingRateHz = LIS3DH.rate(atLeast: rateHz)
    }

    var name: String { bus.name }

    func start() { initialise() }

    func stop() {
        timer.map(reactor.cancel)
        if state == .ok { try? bus.write(LIS3DH.powerDown.register, LIS3DH.powerDown.value) }
        state = .off
    }

    /// Changes the sampling; what is known of stillness and activity so far stays known, steps are counted anew.
    func setMoving(_ isMoving: Bool) {
        if isTaking { return wantsMoving = isMoving }
        let wanted = isMoving ? movingRateHz : Self.restingRateHz
        guard wanted != rateHz else { return }
        if state == .ok { drain() }
        rateHz = wanted
        detectors.rateChanged()
        guard state == .ok else { return }
        do throws(BusFailure) {
            try configure()
            scheduleRead()
        } catch { fail(error) }
    }

    /// What the receiver measured, which activities are told apart by.
    func speedMeasured(by fix: TrackFix) {
        if let label = detectors.take(speedOf: fix) { onActivity(label) }
    }

    private var readMillis: Int64 {
        rateHz == Self.restingRateHz ? Self.restingReadMillis : Int64(Self.movingBatch) * 1_000 / Int64(rateHz)
    }

    private func initialise() {
        do throws(BusFailure) {
            let identity = try bus.read(LIS3DH.identityRegister, count: 1)
            guard identity.first == LIS3DH.identity else {
                throw BusFailure(
                    code: .noAnswer, cause: "\(bus.name) is no LIS3DH (WHO_AM_I is \(identity.first ?? 0), not 51)",
                    remedy: "check accel.bus and accel.address")
            }
            try configure()
        } catch { return fail(error) }
        state = .ok
        problem = nil
        scheduleRead()
    }

    private func configure() throws(BusFailure) {
        for write in LIS3DH.configuration(rateHz: rateHz) { try bus.write(write.register, write.value) }
        lastRead = reactor.now
    }

    private func scheduleRead() {
        timer.map(reactor.cancel)
        let due = reactor.now.advanced(byMillis: readMillis)
        timer = reactor.schedule(at: due, toleranceMillis: readMillis / 5) { [unowned self] in
            timer = nil
            drain()
            // A change of rate has scheduled the next read itself.
            if state == .ok, timer == nil { scheduleRead() }
        }
    }

    private func drain() {
        do throws(BusFailure) {
            let source = try bus.read(LIS3DH.fifoSourceRegister, count: 1)
            let fifo = LIS3DH.FIFOState(source: source.first ?? 0)
            let now = reactor.now
            guard fifo.level > 0 else {
                if now.millis(since: lastRead) > readMillis * 3 {
                    throw BusFailure(code: .io, cause: "\(bus.name) delivers no samples", remedy: "check its supply")
                }
                return
            }
            let bytes = try bus.read(LIS3DH.outputRegister, count: fifo.level * LIS3DH.bytesPerSample)
            // Samples lost to an overrun leave a hole: what was known ends there.
            if fifo.isOverrun { detectors.clear() }
            let nominal = 1_000_000_000 / Int64(rateHz)
            let period = fifo.isOverrun ? nominal : now.nanos(since: lastRead) / Int64(fifo.level)
            lastRead = now
            failures = 0
            take(LIS3DH.samples(bytes, newest: now, periodNanos: period))
        } catch { fail(error) }
    }

    private func take(_ samples: [MotionSample]) {
        onSamples(samples)
        let countsSteps = rateHz != Self.restingRateHz
        isTaking = true
        for sample in samples {
            let found = detectors.take(sample, countsSteps: countsSteps)
            if let reading = found.stillness {
                lastReading = reading
                onReading(reading)
            }
            if let reading = found.steps { onSteps(reading) }
            if let label = found.activity { onActivity(label) }
        }
        isTaking = false
        if detectors.isStuck {
            fail(BusFailure(code: .io, cause: "\(bus.name) repeats one value", remedy: "power-cycle the accelerometer"))
        }
        if let isMoving = wantsMoving {
            wantsMoving = nil
            setMoving(isMoving)
        }
    }

    private func fail(_ failure: BusFailure) {
        let text = "\(failure.cause); \(failure.remedy)"
        let isNew = state != .fault
        state = .fault
        problem = text
        lastReading = nil
        detectors.clear()
        if isNew { onLost(text) }
        timer.map(reactor.cancel)
        let wait = Self.backoffMillis[min(failures, Self.backoffMillis.count - 1)]
        failures += 1
        timer = reactor.schedule(at: reactor.now.advanced(byMillis: wait), toleranceMillis: wait / 10) {
            [unowned self] in initialise()
        }
    }
}
