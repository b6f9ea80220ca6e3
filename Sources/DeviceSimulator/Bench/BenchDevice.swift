import Glibc
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

/// A simulated device that one thread turns, alone or together with others.
public protocol BenchDevice: AnyObject {
    /// True after `.stop`: links and sockets are gone.
    var isStopped: Bool { get }

    func receive(_ signal: BenchSignal)

    /// Does what is due and adds the descriptors it waits for; the nanoseconds until something is due again, `.max` for
    /// never.
    func prepare(_ polls: inout PollSet) -> Int64

    /// Serves those of them that are ready after the wait.
    func serve(_ polls: PollSet)
}

extension BenchDevice {
    /// Does what is due, then waits for the next duty, for `extra` to become readable (−1: nothing) or for
    /// `atMostMillis`, whichever is first.
    public func turn(orUntilReadable extra: Int32, atMostMillis: Int64) {
        guard !isStopped else { return }
        var polls = PollSet()
        polls.add(extra, POLLIN)
        let duty = prepare(&polls)
        polls.wait(atMostNanos: min(atMostMillis * 1_000_000, duty))
        serve(polls)
    }

    /// Turns the device until it is stopped by a signal of the process.
    public func run(signals: SignalInbox) {
        while !isStopped {
            turn(orUntilReadable: signals.descriptor, atMostMillis: 60_000)
            while let signal = signals.next() { receive(signal) }
        }
    }
}
