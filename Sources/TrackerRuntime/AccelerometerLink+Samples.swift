import MotionSensing
import Ports
import TrackerModel

/// What becomes of samples, wherever they are from.
extension AccelerometerLink {
    /// Time without samples that is a fault (spec capture §13.1).
    private static let gapNanos: Int64 = 200_000_000
    /// Identical triples that are one.
    private static let frozenCount = 50
    /// Below this, steps cannot be told (spec capture §13.3: 25 Hz and less a tenth).
    static let stepsHz = 22.0

    /// - Throws: when there are too few samples for the time.
    func expect(_ count: Int, inNanos elapsed: Int64) throws(BusFailure) {
        let period = Int64(1e9 / rateHz)
        let missing = elapsed - Int64(count) * period
        // A chip may be slow by an eighth, and its next sample almost there.
        if missing > Self.gapNanos + max(period, elapsed / 8) + settings.jitterMillis * 1_000_000 {
            throw BusFailure(
                code: .io,
                cause: "the \(model ?? "chip") on \(name) gave \(count) samples in \(elapsed / 1_000_000) ms",
                remedy: "check its supply; it is started again")
        }
    }

    /// Takes samples that came together; never none.
    func received(_ samples: [MotionSample], at now: Instant) {
        health.sampled(samples.count, inNanos: now.nanos(since: lastRead), isMovingRate: isMovingRate)
        lastRead = now
        if row.hasEnded(at: now, isOK: state == .ok) { onRecovered() }
        prove(samples)
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
            let found = detectors.take(sample, countsSteps: isMovingRate && rateHz >= Self.stepsHz)
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
                code: .io, cause: "the \(model ?? "chip") on \(name) repeats one value",
                remedy: "power-cycle it"))
    }
}
