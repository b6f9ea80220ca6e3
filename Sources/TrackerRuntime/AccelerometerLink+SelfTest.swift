import MotionSensing
import Ports

/// How a self-test ended.
typealias SelfTestReply = (Result<SelfTest.Result, BusFailure>) -> Void

/// The chip's own test of its proof mass. It takes up to a second, during which there are no samples.
extension AccelerometerLink {
    /// - Parameter reply: called once, now or when the test is over.
    func runSelfTest(_ reply: @escaping SelfTestReply) {
        guard let chip, state == .ok, selfTestReply == nil else {
            let cause =
                selfTestReply != nil
                ? "a self-test is running"
                : driven == nil ? "no accelerometer works" : "the kernel's driver has the \(model ?? "chip")"
            return reply(
                .failure(BusFailure(code: .absent, cause: cause, remedy: "see device-cli sensors, and ask again")))
        }
        selfTestReply = reply
        // The test's own push would end it as a wake.
        isArmed = false
        pauseReading()
        let test = chip.selfTest
        do throws(BusFailure) {
            let factory = try read(test.factory)
            try measure(test.first, test) { [unowned self] (first) throws(BusFailure) in
                try measure(test.second, test) { [unowned self] (second) throws(BusFailure) in
                    finish(test.result(first: first, second: second, factory: factory), chip)
                }
            }
        } catch { fail(error) }
    }

    /// Does the steps, then reads the output as often as the test wants.
    private func measure(
        _ steps: [RegisterStep], _ test: SelfTest, then: @escaping ([UInt8]) throws(BusFailure) -> Void
    ) throws(BusFailure) {
        try perform(steps[...]) { [unowned self] in
            collect([], after: test.settleMillis, test, then)
        }
    }

    private func collect(
        _ bytes: [UInt8], after millis: Int64, _ test: SelfTest, _ then: @escaping ([UInt8]) throws(BusFailure) -> Void
    ) {
        after(millis) { [unowned self] () throws(BusFailure) in
            let more = try bytes + read([test.output])
            if more.count < test.readings * test.output.count {
                collect(more, after: test.periodMillis, test, then)
            } else {
                try then(more)
            }
        }
    }

    private func finish(_ result: SelfTest.Result, _ chip: any AccelerometerChip) {
        endSelfTest(.success(result))
        do throws(BusFailure) {
            try perform(chip.reset[...]) { [unowned self] in restart() }
        } catch { fail(error) }
    }

    /// Tells whoever waits for a running test, if anybody does.
    func endSelfTest(_ outcome: Result<SelfTest.Result, BusFailure>) {
        let reply = selfTestReply
        selfTestReply = nil
        reply?(outcome)
    }
}
