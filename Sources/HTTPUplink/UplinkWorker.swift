import Glibc
import Ports

/// The thread that waits on the network, so that the loop never does. Requests and results cross by value.
final class UplinkWorker: Sendable {
    let jobs = JobQueue()
    private let results: Mailbox<UplinkReport>
    private let limits: CurlExchange.Limits

    init(results: Mailbox<UplinkReport>, limits: CurlExchange.Limits) {
        self.results = results
        self.limits = limits
    }

    /// Starts the thread; `nil` when the system has no room for one.
    func start() -> pthread_t? {
        // The thread inherits the mask: signals are the loop's, and SIGPIPE must not end the process.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<UplinkWorker>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        if code == 0 { return thread }
        context.release()
        return nil
    }

    private func run() {
        let exchange = CurlExchange(limits: limits, isClosing: { [jobs] in jobs.isClosing })
        while let request = jobs.take() {
            let report = exchange?.perform(request) ?? UplinkReport(.failed(CurlExchange.unavailable))
            if !jobs.isClosing { results.post(report) }
        }
    }
}
