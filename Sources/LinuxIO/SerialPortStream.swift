import CLinux
import Glibc
public import Ports
public import TrackerModel

/// A receiver on a serial line. The device chooses the way: one of the machine (it has an entry in `/sys/class/tty`)
/// goes through libserialport, any other terminal through termios.
public final class SerialPortStream: ByteStream {
    public private(set) var name: String

    private let reactor: LinuxReactor
    private var devices: SerialDevices
    private var line: (any SerialLine)?
    private var handler: ((ByteStreamEvent) -> Void)?
    private let rests: Bool
    private var rhythm = BurstRhythm(bitsPerSecond: 0)
    private var held: HeldBytes?
    private let alarm: Alarm
    public private(set) var arrivedAt: Instant?

    /// - Parameters:
    ///   - device: the device, a symbolic link to it, or `auto`; looked up anew by every `open`.
    ///   - rests: sleeps through the bursts of a receiver once their rhythm is known, instead of following them byte by
    ///     byte. Each is told when it is over, its beginning with the moment at which it came.
    public init(path device: String, reactor: LinuxReactor, rests: Bool = false) {
        self.rests = rests
        name = device
        devices = SerialDevices(device: device)
        self.reactor = reactor
        alarm = Alarm(reactor)
    }

    deinit { close() }

    /// As long as no path leads anywhere: false.
    public var isRealDevice: Bool {
        devices.candidates.contains { path in (try? System.resolve(path)).map(Self.isOfTheMachine) ?? false }
    }

    public var candidates: [String] { devices.candidates }

    public func choose(_ path: String) { name = path }

    public func open(baud: Int, _ handler: @escaping (ByteStreamEvent) -> Void) throws(ByteStreamFailure) {
        close()
        if name == SerialDevices.auto { throw .nothingFound }
        let path: String
        do throws(SystemFailure) {
            path = try System.resolve(name)
            // libserialport takes 0, which hangs up, and passes over what is negative.
            guard Self.rates.contains(baud) else {
                throw SystemFailure(call: "tcsetattr", subject: "\(name) at \(baud) bit/s", number: EINVAL)
            }
        } catch {
            throw .opening(name, error)
        }
        let line: any SerialLine =
            if Self.isOfTheMachine(path) {
                try LibSerialPortLine(path: path, baud: baud)
            } else {
                try TermiosLine(path: path, baud: baud)
            }
        do throws(SystemFailure) { try follow(line, baud: baud, handler) } catch {
            line.close()
            throw .opening(path, error)
        }
        devices.noteOpened(name)
    }

    func follow(
        _ line: any SerialLine, baud: Int, _ handler: @escaping (ByteStreamEvent) -> Void
    ) throws(SystemFailure) {
        try watch(line, for: .readable)
        self.line = line
        self.handler = handler
        rhythm = BurstRhythm(bitsPerSecond: baud)
    }

    public func setBaud(_ baud: Int) throws(ByteStreamFailure) {
        guard let line else { throw .unplugged(name, "set the speed of \(name): not open") }
        guard Self.rates.contains(baud) else {
            throw .opening(name, SystemFailure(call: "tcsetattr", subject: "\(baud) bit/s", number: EINVAL))
        }
        forgetHeld()
        rhythm = BurstRhythm(bitsPerSecond: baud)
        do throws(SystemFailure) {
            try line.setBaud(baud)
            try watch(line, for: .readable)
        } catch { throw .opening(name, error) }
    }

    public func write(_ bytes: [UInt8]) throws(ByteStreamFailure) {
        guard let line else { throw .unplugged(name, "write \(name): not open") }
        // The answer is waited for, and may change what is said.
        rhythm = BurstRhythm(bitsPerSecond: rhythm.bitsPerSecond)
        cutRestShort()
        let limit = System.bootMillis() + Self.writeMillis
        do throws(SystemFailure) {
            var rest = bytes[...]
            while !rest.isEmpty {
                if let count = try System.write(line.fd, rest), count > 0 {
                    rest = rest.dropFirst(count)
                } else {
                    let left = limit - System.bootMillis()
                    guard try System.isReady(line.fd, forWriting: true, withinMillis: left) else {
                        throw SystemFailure(call: "write", subject: name, number: ETIMEDOUT)
                    }
                }
            }
        } catch {
            if error.number == EIO || error.number == ENXIO { throw .unplugged(name, "\(error)") }
            throw ByteStreamFailure(
                code: .io, cause: "\(error)", remedy: "check the cable and that the receiver takes commands")
        }
    }

    public func close() {
        guard let line else { return }
        self.line = nil
        handler = nil
        forgetHeld()
        reactor.unwatch(line.fd)
        line.close()
    }

    /// Up to the fastest rate of termios(3).
    private static let rates = 1...4_000_000
    /// How long a full output buffer may hold up a write (`ByteStream.write`).
    private static let writeMillis: Int64 = 1_000
    /// A receiver at 921 600 bit/s fills this in 44 ms; the kernel's buffer holds as much.
    private static let readLimit = 4_096

    private static func isOfTheMachine(_ resolved: String) -> Bool {
        guard resolved.hasPrefix("/dev/") else { return false }
        return (try? System.status("/sys/class/tty/" + resolved.dropFirst("/dev/".count))) != nil
    }
}

// MARK: - Reading

extension SerialPortStream {
    /// After a hang-up what the kernel still holds is read before the loss is reported.
    private func ready(_ events: FileEvents) {
        guard let line else { return }
        let isGone = !events.isDisjoint(with: [.hungUp, .failed])
        var early = takeHeld()
        do throws(SystemFailure) {
            if early != nil { try watch(line, for: .readable) }
            repeat {
                let bytes = try System.read(line.fd, limit: Self.readLimit) ?? []
                let rests = !isGone && rest(line, after: bytes)
                tell(&early)
                guard self.line === line, !rests else { return }
                if bytes.isEmpty {
                    // A hung-up device reads as empty, just like a quiet one; asking what waits tells them apart.
                    try System.call("ioctl FIONREAD", on: name) { linux_waiting(line.fd) }
                    return isGone ? lose("the device hung up") : ()
                }
                handler?(.bytes(bytes))
            } while isGone && self.line === line
        } catch {
            tell(&early)
            if self.line === line { lose("\(error)") }
        }
    }

    /// Once.
    private func tell(_ early: inout HeldBytes?) {
        guard let held = early else { return }
        early = nil
        arrivedAt = held.at
        handler?(.bytes(held.bytes))
        arrivedAt = nil
    }

    private func lose(_ cause: String) {
        let handler = self.handler
        close()
        handler?(.lost(.unplugged(name, cause)))
    }
}

// MARK: - Resting

extension SerialPortStream {
    /// The beginning of a burst whose end is slept for.
    struct HeldBytes {
        var bytes: [UInt8]
        var at: Instant
        var until: Instant
    }

    /// While it sleeps through a burst: when it reads on, at the latest.
    public var restsUntil: Instant { held?.until ?? .zero }

    /// Sleeps until the burst that these bytes belong to is over, if that is known.
    private func rest(_ line: any SerialLine, after bytes: [UInt8]) -> Bool {
        guard rests, !bytes.isEmpty else { return false }
        let now = reactor.now
        let millis = rhythm.heard(bytes.count, at: now)
        // A hang-up wakes all the same.
        guard millis > 0, (try? watch(line, for: [])) != nil else { return false }
        let end = now.advanced(byMillis: millis)
        let late = millis / Self.lateShare
        alarm.set(at: end, toleranceMillis: late) { [weak self] in self?.ready([]) }
        held = HeldBytes(bytes: bytes, at: now, until: end.advanced(byMillis: late + Self.readMillis))
        return true
    }

    /// The rest is over.
    private func takeHeld() -> HeldBytes? {
        guard let held else { return nil }
        forgetHeld()
        rhythm.rested(at: reactor.now)
        return held
    }

    /// What was said until now is told before anything else.
    private func cutRestShort() {
        if held != nil { alarm.set(at: reactor.now, toleranceMillis: 0) { [weak self] in self?.ready([]) } }
    }

    private func forgetHeld() {
        alarm.cancel()
        held = nil
    }

    private func watch(_ line: any SerialLine, for events: FileEvents) throws(SystemFailure) {
        try reactor.watch(line.fd, for: events) { [weak self] in self?.ready($0) }
    }

    /// A rest may be longer by this share of it, for the sake of other timers.
    private static let lateShare: Int64 = 4
    /// How long the loop may take to come to it.
    private static let readMillis: Int64 = 20
}
