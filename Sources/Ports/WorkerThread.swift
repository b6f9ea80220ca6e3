import Glibc

/// A thread that waits where the loop must not: on the network, on the name service.
public struct WorkerThread: Sendable {
    private let thread: pthread_t

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread with every signal blocked: signals are the loop's, and SIGPIPE must not end the process.
    /// `nil` when the system has no room for one. Exactly one of `join` and `detach` is called then.
    public init?(_ body: @escaping @Sendable () -> Void) {
        // The thread inherits the mask.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let context = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        self.thread = thread
    }

    /// Returns when the thread has ended.
    public func join() { pthread_join(thread, nil) }

    /// Lets it end by itself.
    public func detach() { pthread_detach(thread) }
}
