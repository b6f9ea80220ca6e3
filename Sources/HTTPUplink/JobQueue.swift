import Glibc
import Ports
import Synchronization

/// Hands requests to the worker thread, which sleeps on a condition while there are none.
///
/// Unchecked because the compiler cannot see it: `requests` is only touched with `mutex` held.
final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var requests: [UplinkRequest] = []
    private let closing = Atomic<Bool>(false)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(filled, nil)
    }

    deinit {
        pthread_cond_destroy(filled)
        pthread_mutex_destroy(mutex)
        filled.deallocate()
        mutex.deallocate()
    }

    /// Readable at any moment from any thread: an exchange that hangs asks it.
    var isClosing: Bool { closing.load(ordering: .acquiring) }

    func put(_ request: UplinkRequest) {
        pthread_mutex_lock(mutex)
        requests.append(request)
        pthread_cond_signal(filled)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for a request; `nil` once closed.
    func take() -> UplinkRequest? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while requests.isEmpty && !isClosing { pthread_cond_wait(filled, mutex) }
        return isClosing ? nil : requests.removeFirst()
    }

    func close() {
        pthread_mutex_lock(mutex)
        closing.store(true, ordering: .releasing)
        pthread_cond_broadcast(filled)
        pthread_mutex_unlock(mutex)
    }
}
