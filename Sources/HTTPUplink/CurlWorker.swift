import Ports

/// The thread that waits on the network, so that the loop never does.
final class CurlWorker: UplinkWorker {
    private let jobs = JobQueue()
    private let results: Mailbox<UplinkReport>
    private let limits: CurlExchange.Limits

    init(results: Mailbox<UplinkReport>, limits: CurlExchange.Limits) {
        self.results = results
        self.limits = limits
    }

    func put(_ request: UplinkRequest) { jobs.put(request) }

    func close() { jobs.close() }

    func run() {
        let exchange = CurlExchange(limits: limits, isClosing: { [jobs] in jobs.isClosing })
        while let request = jobs.take() {
            let report = exchange?.perform(request) ?? UplinkReport(.failed(.noWorker))
            if !jobs.isClosing { results.post(report) }
        }
    }
}
