import MotionSensing
import Ports
import TrackerModel

/// Transfers, and the pauses between them. Without a bus there is no chip to have any with.
extension AccelerometerLink {
    /// Runs steps; at a pause the loop goes on meanwhile.
    func perform(_ steps: ArraySlice<RegisterStep>, then: @escaping () -> Void) throws(BusFailure) {
        for (index, step) in zip(steps.indices, steps) {
            switch step {
            case .write(let register, let value): try bus?.write(register, value)
            case .touch(let register): _ = try bus?.read(register, count: 1)
            case .pause(let millis):
                return after(millis) { [unowned self] () throws(BusFailure) in
                    try perform(steps[(index + 1)...], then: then)
                }
            }
        }
        then()
    }

    /// The next thing that happens, replacing what was to.
    func after(_ millis: Int64, toleranceMillis: Int64 = 0, _ body: @escaping () throws(BusFailure) -> Void) {
        alarm.set(afterMillis: millis, toleranceMillis: toleranceMillis) { [unowned self] in
            do throws(BusFailure) { try body() } catch { fail(error) }
        }
    }

    func read(_ reads: [RegisterRead]) throws(BusFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        for read in reads { bytes += try bus?.read(read.register, count: read.count) ?? [] }
        return bytes
    }
}
