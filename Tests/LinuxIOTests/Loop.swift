import Foundation
import LinuxIO
import Ports
import Synchronization
import TrackerModel

/// Running a reactor in a test: until a callback stops it, or 20 s have passed, which is a failure seen by what is then
/// missing. The bound is for a loaded machine; no test waits for it.
enum Loop {
    static func run(_ reactor: LinuxReactor, limitMillis: Int64 = 20_000) throws {
        let limit = Int64(Double(limitMillis) * reactor.timeScale)
        let guardTimer = reactor.schedule(at: reactor.now.advanced(byMillis: limit), toleranceMillis: 0) {
            reactor.stop()
        }
        try reactor.run()
        reactor.cancel(guardTimer)
    }

    /// Serves the loop for a while: for what must not happen.
    static func idle(_ reactor: LinuxReactor, millis: Int64) throws {
        try run(reactor, limitMillis: millis)
    }
}

/// A thread of a test whose result is awaited.
final class Worker<Result: Sendable>: Sendable {
    private let result = Mutex<Result?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Result) {
        Thread.detachNewThread { [self] in
            let value = body()
            result.withLock { $0 = value }
            done.signal()
        }
    }

    func wait() -> Result? {
        _ = done.wait(timeout: .now() + 20)
        return result.withLock { $0 }
    }
}
