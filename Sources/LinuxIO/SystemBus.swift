import CLinux
import CSystemd
import Glibc
import Ports
import TrackerModel

/// A connection to the system bus, through sd-bus, on the loop (sd-bus(3)): nothing waits, answers and signals arrive as
/// calls.
///
/// The address is the standard one, or that of `DBUS_SYSTEM_BUS_ADDRESS`.
final class SystemBus {
    /// Called once when the connection is gone.
    typealias Lost = (_ cause: String) -> Void

    /// What libsystemd calls back with, alive as long as it may.
    private final class Handler {
        unowned let bus: SystemBus
        let take: (BusMessage) -> Void
        let isOnce: Bool

        init(_ bus: SystemBus, isOnce: Bool, _ take: @escaping (BusMessage) -> Void) {
            self.bus = bus
            self.isOnce = isOnce
            self.take = take
        }
    }

    /// What is left beyond this comes with the next wake-up.
    private static let mostMessagesAtOnce = 64
    private static let toleranceMillis: Int64 = 100

    /// A bus of somebody's own, as tests have one.
    static var isNamed: Bool { getenv("DBUS_SYSTEM_BUS_ADDRESS") != nil }

    private let reactor: LinuxReactor
    private let lost: Lost
    private var bus: OpaquePointer?
    private var handlers: [ObjectIdentifier: Handler] = [:]
    private var watched: (fd: Int32, events: FileEvents)?
    private let alarm: Alarm
    private var isProcessing = false

    /// - Throws: the call that failed: without a bus there is nothing to wait for.
    init(reactor: LinuxReactor, lost: @escaping Lost) throws(SystemFailure) {
        self.reactor = reactor
        alarm = Alarm(reactor)
        self.lost = lost
        try Self.check(sd_bus_open_system(&bus))
    }

    deinit { close() }

    func close() {
        watched.map { reactor.unwatch($0.fd) }
        watched = nil
        alarm.cancel()
        if let bus { sd_bus_close_unref(bus) }
        bus = nil
        handlers = [:]
    }

    /// Signals that fit a rule (D-Bus specification, match rules).
    func listen(_ rule: String, _ take: @escaping (BusMessage) -> Void) {
        guard let bus else { return }
        let handler = keep(isOnce: false, take)
        attempt { sd_bus_add_match_async(bus, nil, rule, Self.called, nil, handler) }
    }

    /// Asks for a method; the answer, an error too, is given once, unless the connection is lost before.
    /// - Parameter timeoutMillis: of this machine's time; after it the answer is an error.
    func call(
        _ name: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = [],
        timeoutMillis: UInt64 = 25_000, _ take: @escaping (BusMessage) -> Void
    ) {
        guard let bus else { return }
        var message: OpaquePointer?
        attempt {
            // A program that the host has switched off is not started for us.
            var result = sd_bus_message_new_method_call(bus, &message, name, path, interface, member)
            if result >= 0 { result = sd_bus_message_set_auto_start(message, 0) }
            for argument in arguments where result >= 0 { result = argument.append(to: message) }
            guard result >= 0 else { return result }
            return sd_bus_call_async(bus, nil, message, Self.called, keep(isOnce: true, take), timeoutMillis * 1_000)
        }
        sd_bus_message_unref(message)
    }

    private static func check(_ result: Int32) throws(SystemFailure) {
        if result < 0 { throw SystemFailure(call: "connect", subject: "the system bus", number: -result) }
    }

    private func keep(isOnce: Bool, _ take: @escaping (BusMessage) -> Void) -> UnsafeMutableRawPointer {
        let handler = Handler(self, isOnce: isOnce, take)
        handlers[ObjectIdentifier(handler)] = handler
        return Unmanaged.passUnretained(handler).toOpaque()
    }

    private static let called: sd_bus_message_handler_t = { message, data, _ in
        guard let message, let data else { return 0 }
        let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        if handler.isOnce { handler.bus.handlers[ObjectIdentifier(handler)] = nil }
        handler.take(BusMessage(message))
        return 0
    }
}

// MARK: - On the loop

extension SystemBus {
    /// What was put in line goes out with the next turn of the loop.
    private func attempt(_ work: () -> Int32) {
        let result = work()
        if result < 0 { end(result) } else if !isProcessing { arm() }
    }

    private func process() {
        isProcessing = true
        var result: Int32 = 1
        for _ in 0..<Self.mostMessagesAtOnce {
            guard let bus, result > 0 else { break }
            result = sd_bus_process(bus, nil)
        }
        isProcessing = false
        if result < 0 { end(result) } else { arm() }
    }

    /// As libsystemd wants to be woken now.
    private func arm() {
        guard let bus else { return }
        let events = sd_bus_get_events(bus)
        var microseconds: UInt64 = 0
        let timed = sd_bus_get_timeout(bus, &microseconds)
        guard events >= 0, timed >= 0 else { return end(min(events, timed)) }
        watch(sd_bus_get_fd(bus), FileEvents(rawValue: UInt32(events)))
        guard timed > 0, microseconds != UInt64.max else { return alarm.cancel() }
        let remaining = max(0, Int64(clamping: microseconds) - linux_clock_nanos(CLOCK_MONOTONIC) / 1_000)
        let scaled = Int64(Double(remaining / 1_000) * reactor.timeScale)
        alarm.set(afterMillis: scaled, toleranceMillis: remaining == 0 ? 0 : Self.toleranceMillis) { [unowned self] in
            process()
        }
    }

    private func watch(_ fd: Int32, _ events: FileEvents) {
        if let watched, watched == (fd, events) { return }
        if let watched, watched.fd != fd { reactor.unwatch(watched.fd) }
        do throws(SystemFailure) {
            try reactor.watch(fd, for: events) { [unowned self] _ in process() }
            watched = (fd, events)
        } catch { end(-error.number) }
    }

    private func end(_ result: Int32) {
        guard bus != nil else { return }
        close()
        lost(String(describing: SystemFailure(call: "read", subject: "the system bus", number: -result)))
    }
}
