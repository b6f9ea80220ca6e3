import Ports
import SyncEngine
import TrackerModel
import WireText

/// The dry exchange. It decides nothing: a 401 here tears nothing down.
extension Uploader {
    struct WaitingTest {
        var finished: (OperationAnswer) -> Void
        var hasRoute = false
    }

    /// The limits of bringing a modem up, one after the other (spec power §5).
    private static let modemMillis: Int64 = 200_000
    /// The host hears of its name servers after the route.
    private static let namesMillis: Int64 = 2_000

    /// `sync test`: one exchange without points, every step of it explained. A modem that is off is powered for it, and
    /// the exchange made when it has a route, or when it has had its time.
    /// - Parameter isBare: neither a credential is sent nor a modem powered.
    func test(isBare: Bool = false, _ finished: @escaping (OperationAnswer) -> Void) {
        if let refusal = testRefusal { return finished(refusal) }
        if isBare { return exchangeTest(isBare: true, finished) }
        guard surroundings.link.modem?.isSwitched == true, surroundings.link.state?.path == nil, !config.isLoopback
        else { return exchangeTest(finished) }
        waitingTest = WaitingTest(finished: finished)
        armTest(afterMillis: Self.modemMillis)
        keepModem()
    }

    func testHasRoute() {
        guard waitingTest?.hasRoute == false else { return }
        waitingTest?.hasRoute = true
        armTest(afterMillis: Self.namesMillis)
    }

    private func armTest(afterMillis millis: Int64) {
        testAlarm.set(afterMillis: millis, toleranceMillis: 500) { [weak self] in
            guard let self, let finished = waitingTest?.finished else { return }
            waitingTest = nil
            if let refusal = testRefusal { finished(refusal) } else { exchangeTest(finished) }
            keepModem()
        }
    }

    /// A test that waits for a modem will not be made any more.
    func endTest(_ why: String) {
        testAlarm.cancel()
        let finished = waitingTest?.finished
        waitingTest = nil
        finished?(.refused(.notReady, why))
    }

    private var testRefusal: OperationAnswer? {
        guard config.url != nil else {
            return .refused(.notReady, endpointProblem ?? "no endpoint is configured; set upload.url")
        }
        if let hold { return .refused(.notReady, hold) }
        if waitingTest != nil { return .refused(.conflict, "a test waits for the modem; ask again in a moment") }
        return machine.isDraining ? .refused(.conflict, "an upload is under way; ask again in a moment") : nil
    }

    private func exchangeTest(isBare: Bool = false, _ finished: @escaping (OperationAnswer) -> Void) {
        var steps = ExchangeSteps()
        steps.route(config, surroundings.link.state)
        steps.clock(config, surroundings.reactor.wall.trust)
        if !isBare { steps.credential(config.headers.count) }
        steps.format(config.payload.format, deviceID: surroundings.deviceID)
        var request = UplinkRequest(
            url: config.url ?? "", method: config.method, headers: isBare ? [] : requestHeaders,
            body: format.body([], maxBytes: config.maxBodyBytes).bytes,
            connectTimeoutSec: config.connectTimeoutSec, totalTimeoutSec: config.totalTimeoutSec)
        request.isExplained = true
        let isSecure = config.isSecure
        let isBroker = config.isBroker
        exchange(request) { report in
            if isBroker { steps.broker(report.result) } else { steps.exchange(report, isSecure: isSecure) }
            finished(.done(steps.json))
        }
    }
}
