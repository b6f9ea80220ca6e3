public import WireText

/// What the person or script at the bench does to a running device.
public enum BenchSignal: Sendable {
    /// SIGUSR1: pull the plug.
    case unplug
    /// SIGUSR2: plug in again.
    case plug
    /// SIGHUP: stay connected but say nothing, or speak again.
    case toggleSilence
    /// SIGTERM, SIGINT: remove what was created and end.
    case stop
}

/// Takes the JSON lines that tell a test what happened: ready, reader, finished, unplugged…
public typealias EventSink = (JSONObject) -> Void

/// A simulated device that one thread turns; `turn` never blocks longer than it is told.
public protocol BenchDevice: AnyObject {
    /// True after `.stop`: links and sockets are gone.
    var isStopped: Bool { get }

    func receive(_ signal: BenchSignal)

    /// Does what is due, then waits for the next duty, for `extra` to become readable (−1: nothing) or for
    /// `atMostMillis`, whichever is first.
    func turn(orUntilReadable extra: Int32, atMostMillis: Int64)
}

extension BenchDevice {
    /// Turns the device until it is stopped by a signal of the process.
    public func run(signals: SignalInbox) {
        while !isStopped {
            turn(orUntilReadable: signals.descriptor, atMostMillis: 60_000)
            while let signal = signals.next() { receive(signal) }
        }
    }
}
