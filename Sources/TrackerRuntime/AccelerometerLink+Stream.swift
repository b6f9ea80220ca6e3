import MotionSensing
import Ports
import TrackerModel

/// An accelerometer that a driver of the kernel has. It is not asked: what it samples is handed over as it comes.
extension AccelerometerLink {
    private var batch: Int { isMovingRate ? Self.watermark : Int(Self.restingHz) }

    /// Has it sample at the rate that is wanted.
    func openStream(_ stream: any MotionStream) throws(BusFailure) {
        takeRate()
        driven = try stream.open(
            rateHz: isMovingRate ? Double(settings.rateHz) : Self.restingHz, batch: batch,
            onSamples: { [unowned self] in streamed($0) }, onLost: { [unowned self] in fail($0) })
        if isMovingRate { drivenMovingHz = driven?.rateHz }
        lastRead = reactor.now
        isReading = true
        watchStream()
    }

    func closeStream() {
        guard driven != nil else { return }
        stream?.close()
        driven = nil
    }

    private func streamed(_ samples: [MotionSample]) {
        let now = reactor.now
        do throws(BusFailure) {
            try expect(samples.count, inNanos: now.nanos(since: lastRead))
            received(samples, at: now)
            if isReading, driven != nil { watchStream() }
        } catch { fail(error) }
    }

    /// Looks for samples that are overdue.
    private func watchStream() {
        let millis = Int64(Double(batch) * 2_000 / rateHz)
        after(millis, toleranceMillis: millis / 10) { [unowned self] () throws(BusFailure) in
            guard driven != nil else { return }
            // A batch may be on its way.
            try expect(batch, inNanos: reactor.now.nanos(since: lastRead))
            watchStream()
        }
    }
}
