import Glibc
import Ports
import Synchronization

/// The eventfd through which other threads wake a reactor, with the signals raised since it last looked.
///
/// One for all signals, so that making a signal cannot fail. The descriptor lives as long as somebody can raise: a late
/// raise never reaches a descriptor of somebody else.
final class WakeUp: Sendable {
    let fd: Int32
    private let raised = Mutex<[UInt64]>([])

    init() throws(SystemFailure) { fd = try System.makeEventCounter() }

    deinit { System.close(fd) }

    /// From any thread. A signal that is raised already stays raised once.
    func raise(_ signal: UInt64) {
        let isFirst = raised.withLock { pending in
            guard !pending.contains(signal) else { return false }
            pending.append(signal)
            return pending.count == 1
        }
        // A full counter means that the loop has been told; 1 in the machine's byte order or not, it is not zero.
        if isFirst { _ = try? System.write(fd, [1, 0, 0, 0, 0, 0, 0, 0]) }
    }

    /// On the loop: the signals raised so far, in the order of their first raise.
    func takeAll() -> [UInt64] {
        _ = try? System.read(fd, limit: 8)
        return raised.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }
}

/// One signal of a reactor.
struct ReactorSignal: LoopSignal {
    let id: UInt64
    let wakeUp: WakeUp

    func raise() { wakeUp.raise(id) }
}
