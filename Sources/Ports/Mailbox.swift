import Synchronization

/// Where a worker thread leaves values for the loop thread. Values cross, never references to live state.
public final class Mailbox<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let signal: any LoopSignal

    /// `signal` must lead to a handler on the loop that calls `takeAll`.
    public init(signal: any LoopSignal) { self.signal = signal }

    /// From any thread: leaves the value and wakes the loop.
    public func post(_ value: Value) {
        values.withLock { $0.append(value) }
        signal.raise()
    }

    /// On the loop thread: everything posted so far, oldest first.
    public func takeAll() -> [Value] {
        values.withLock { held in
            defer { held = [] }
            return held
        }
    }
}
