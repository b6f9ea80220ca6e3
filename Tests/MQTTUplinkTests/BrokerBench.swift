import Ports
import TestKit
import Testing
import TrackerModel

@testable import MQTTUplink

/// An uplink and a queue of rows in front of it, which retries as the tracker's does.
final class BrokerBench {
    let reactor = PumpedReactor()
    let uplink: MosquittoUplink
    let url: String
    var headers: [UplinkRequest.Header] = []
    /// Rows that were confirmed, in order, and what came of all attempts.
    private(set) var confirmed: [Int] = []
    private(set) var bytesUp: Int64 = 0
    private(set) var failures: [UplinkFailure.Code] = []
    private(set) var lastCause = ""

    init(_ url: String, tls: TLSFiles = TLSFiles(), keepAliveSec: Int = 60, clientID: String = "tracker-cart-07") {
        self.url = url
        var account = MQTTAccount(clientID: clientID, topic: "owntracks/depot/cart-07", tls: tls)
        account.keepAliveSec = keepAliveSec
        uplink = MosquittoUplink(reactor: reactor, account: account)
    }

    deinit { uplink.close() }

    /// One attempt; `nil` when it did not end within 30 s.
    func attempt(_ row: Int, totalSec: Int = 20, isExplained: Bool = false, whenStarted: () -> Void = {})
        -> UplinkResult?
    {
        var result: UplinkResult?
        var request = UplinkRequest(
            url: url, method: "POST", headers: headers, body: Array("{\"row\":\(row)}".utf8), connectTimeoutSec: 5,
            totalTimeoutSec: totalSec)
        request.isExplained = isExplained
        uplink.start(request) { [unowned self] report in
            result = report.result
            bytesUp += report.bytesUp
        }
        #expect(result == nil, "never from inside start")
        whenStarted()
        _ = reactor.pump(seconds: 30) { result != nil }
        switch result {
        case .answered(status: 200, _, _, _): confirmed.append(row)
        case .failed(let failure):
            failures.append(failure.code)
            lastCause = failure.cause
        default: break
        }
        return result
    }

    /// Each row until it is confirmed, with a pause after a failure.
    func drain(_ rows: ClosedRange<Int>, pauseMillis: Int64 = 50) {
        for row in rows {
            for _ in 0..<200 where confirmed.last != row {
                if case .answered = attempt(row) { continue }
                let end = reactor.now.advanced(byMillis: pauseMillis)
                _ = reactor.pump(seconds: 5) { reactor.now > end }
            }
        }
    }
}
