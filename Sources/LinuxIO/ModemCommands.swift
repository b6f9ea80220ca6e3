import Glibc
public import Ports

/// Switches a modem with two programs of the operator, one to power it, one to cut its power (spec power §5, `command`).
///
/// They run one after the other on a thread, without arguments and without the loop waiting.
public final class ModemCommands: ModemPower {
    /// Capacitors of a supply hold a modem for a second or two.
    private static let darkSeconds: UInt32 = 5

    private struct Order: Sendable {
        var paths: [String]
    }

    public var onFailure: ((String) -> Void)?
    private let onPath: String
    private let offPath: String
    private var orders: [Order] = []
    private var thread: WorkerThread?
    private var mailbox: Mailbox<ChildFailure?>?

    public init(on onPath: String, off offPath: String, reactor: any Reactor) {
        self.onPath = onPath
        self.offPath = offPath
        mailbox = Mailbox(signal: reactor.makeSignal { [weak self] in self?.ended() })
    }

    deinit { thread?.detach() }

    public func switchOn() { give(Order(paths: [onPath])) }
    public func switchOff() { give(Order(paths: [offPath])) }
    public func cycle() { give(Order(paths: [offPath, onPath])) }

    /// What runs is waited for, 30 s a program; whatever has not begun, the modem is to be off. A service manager that has
    /// less patience has told the programs to end, too.
    public func close(isOn: Bool) {
        let isToBeOff = isOn || !orders.isEmpty
        orders = []
        thread?.join()
        thread = nil
        if isToBeOff { tell(Self.failure(of: Order(paths: [offPath]))) }
    }

    private func give(_ order: Order) {
        orders.append(order)
        runNext()
    }

    private func runNext() {
        guard thread == nil, !orders.isEmpty, let mailbox else { return }
        let order = orders.removeFirst()
        thread = WorkerThread { mailbox.post(Self.failure(of: order)) }
        if thread == nil { onFailure?("no thread for \(order.paths[0]); the machine is out of memory or tasks") }
    }

    private func ended() {
        guard let outcome = mailbox?.takeAll().last else { return }
        thread?.join()
        thread = nil
        tell(outcome)
        runNext()
    }

    private func tell(_ failure: ChildFailure?) {
        if let failure { onFailure?("\(failure); run it by hand as the service user") }
    }

    /// On the thread. What comes after a program that failed is not run: a modem that could not be switched off is not
    /// switched on.
    private static func failure(of order: Order) -> ChildFailure? {
        do throws(ChildFailure) {
            for (index, path) in order.paths.enumerated() {
                if index > 0 { sleep(darkSeconds) }
                try ChildProcess.run(path)
            }
            return nil
        } catch { return error }
    }
}
