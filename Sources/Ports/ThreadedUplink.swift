/// What a thread does for an uplink. Requests and reports cross by value.
public protocol UplinkWorker: Sendable {
    /// From the loop: a request; `run` answers each with one report, in order.
    func put(_ request: UplinkRequest)
    /// From the loop: `run` is to return as soon as it can.
    func close()
    /// The whole life of the thread.
    func run()
}

/// The loop's side of an uplink whose exchanges are made by a thread.
public final class ThreadedUplink: Uplink {
    private let worker: (any UplinkWorker)?
    private let reports: Mailbox<UplinkReport>
    private let inbox = Inbox()
    private var thread: WorkerThread?
    private var isClosed = false

    /// What the loop still has to call, in the order of the requests.
    private final class Inbox {
        var waiting: [(UplinkReport) -> Void] = []
        var reports: Mailbox<UplinkReport>?

        func deliver() {
            for report in reports?.takeAll() ?? [] where !waiting.isEmpty { waiting.removeFirst()(report) }
        }
    }

    /// - Parameter makeWorker: gets the place where the worker leaves its reports; `nil` when there can be none.
    public init(reactor: any Reactor, makeWorker: (Mailbox<UplinkReport>) -> (any UplinkWorker)?) {
        let inbox = inbox
        reports = Mailbox(signal: reactor.makeSignal { [weak inbox] in inbox?.deliver() })
        inbox.reports = reports
        worker = makeWorker(reports)
    }

    deinit { close() }

    /// After `close` this does nothing.
    public func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void) {
        guard !isClosed else { return }
        inbox.waiting.append(finished)
        // The thread costs nothing where nothing is sent.
        if thread == nil, let worker { thread = WorkerThread { worker.run() } }
        if let worker, thread != nil {
            worker.put(request)
        } else {
            reports.post(UplinkReport(.failed(.noWorker)))
        }
    }

    /// Returns when the thread has ended.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        inbox.waiting = []
        worker?.close()
        thread?.join()
        thread = nil
    }
}

extension UplinkFailure {
    public static let noWorker = UplinkFailure(
        code: .connect, cause: "The upload worker could not be started: memory or threads are short; restart.")
}
