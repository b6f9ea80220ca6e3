import CMosquitto
import Glibc
import Ports
import Synchronization

/// Where the loop leaves requests for the worker: a bell that `poll` can wait for beside the broker's socket.
final class JobBox: Sendable {
    private struct State {
        var requests: [UplinkRequest] = []
        var isClosing = false
    }

    /// Readable while there is something to look at; −1 when the system had no descriptor to give.
    let bell: Int32
    private let state = Mutex(State())

    init() { bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }
    deinit { if bell >= 0 { Glibc.close(bell) } }

    var isClosing: Bool { state.withLock { $0.isClosing } }

    func put(_ request: UplinkRequest) {
        state.withLock { $0.requests.append(request) }
        eventfd_write(bell, 1)
    }

    func close() {
        state.withLock { $0.isClosing = true }
        eventfd_write(bell, 1)
    }

    /// Silences the bell; what it rang for stays.
    func hush() {
        var count: eventfd_t = 0
        eventfd_read(bell, &count)
    }

    /// The oldest request, if there is one; silences the bell when it was the last.
    func take() -> UplinkRequest? {
        state.withLock { held in
            if held.requests.count <= 1, !held.isClosing { hush() }
            return held.requests.isEmpty ? nil : held.requests.removeFirst()
        }
    }
}
