import CLinux
import Glibc
public import Ports
public import TrackerModel

/// Time for chronyd, by the socket of its reference clock of kind SOCK (chrony.conf(5), `refclock SOCK path`).
///
/// One datagram a reading, never more than one for a second of UTC. chronyd makes the socket; while it is not there it is
/// looked for once a minute.
public final class ChronySocket: TimeSink {
    /// Both clocks of the host at one moment, nanoseconds.
    struct Clocks {
        var boot: Int64
        var wall: Int64
    }

    public let name: String
    public private(set) var samples: Int64 = 0
    public private(set) var problem: String?

    private let log: any LogSink
    private let clocks: () -> Clocks
    private var fd: Int32?
    private var lastSecond: Int64?
    private var retryAtNanos: Int64 = 0

    public convenience init(path: String, log: any LogSink) {
        self.init(path: path, log: log, clocks: Self.readClocks)
    }

    /// - Parameter clocks: asked at every reading.
    init(path: String, log: any LogSink, clocks: @escaping () -> Clocks) {
        name = path
        self.log = log
        self.clocks = clocks
    }

    deinit { close() }

    public func offer(_ utc: UTCTime, at instant: Instant) {
        let second = utc.millis.floorDivided(by: 1_000)
        guard second != lastSecond else { return }
        let now = clocks()
        let age = Instant(nanos: now.boot).nanos(since: instant)
        // A fix is told within its epoch; what was held up on the way says nothing about now.
        guard (0...Self.oldestNanos).contains(age), now.boot >= retryAtNanos else { return }
        var sample = Self.sample(utc, wallNanos: now.wall - age)
        do throws(SystemFailure) {
            try withUnsafeBytes(of: &sample) { bytes throws(SystemFailure) in try deliver(Array(bytes)) }
            lastSecond = second
        } catch {
            retryAtNanos = now.boot + Self.retryNanos
            fail(error)
        }
    }

    public func close() {
        if let fd { System.close(fd) }
        fd = nil
    }

    private static let oldestNanos: Int64 = 2_000_000_000
    private static let retryNanos: Int64 = 60_000_000_000

    /// - Parameter wallNanos: the system clock when it was `utc`.
    static func sample(_ utc: UTCTime, wallNanos: Int64) -> linux_chrony_sample {
        let wallMicros = wallNanos.floorDivided(by: 1_000)
        let seconds = wallMicros.floorDivided(by: 1_000_000)
        // The difference is taken in integers: a double of seconds since 1970 is good to 0.2 µs only.
        let offsetMicros = utc.millis * 1_000 - wallMicros
        return linux_chrony_sample(
            seconds: seconds, microseconds: wallMicros - seconds * 1_000_000, offset: Double(offsetMicros) / 1e6,
            pulse: 0, leap: 0, pad: 0, magic: 0x534F_434B)
    }

    /// The wall clock between two readings of the boot clock, as close together as three attempts give.
    private static func readClocks() -> Clocks {
        var best = Clocks(boot: 0, wall: 0)
        var narrowest = Int64.max
        for _ in 0..<3 {
            let before = linux_clock_nanos(CLOCK_BOOTTIME)
            let wall = linux_clock_nanos(CLOCK_REALTIME)
            let after = linux_clock_nanos(CLOCK_BOOTTIME)
            if after - before < narrowest {
                narrowest = after - before
                best = Clocks(boot: before + narrowest / 2, wall: wall)
            }
        }
        return best
    }
}

// MARK: - The socket

extension ChronySocket {
    /// chronyd that was started again has made another socket at the same path: then the datagram goes there.
    private func deliver(_ bytes: [UInt8]) throws(SystemFailure) {
        if let fd {
            do throws(SystemFailure) {
                try send(fd, bytes)
                return
            } catch {
                close()
            }
        }
        let fd = try System.makeUnixSocket(datagram: true)
        do throws(SystemFailure) {
            try System.connect(fd, to: name)
            try send(fd, bytes)
        } catch {
            System.close(fd)
            throw error
        }
        self.fd = fd
        log.write(.notice, "chrony.connected", [("socket", .text(name))])
        problem = nil
    }

    /// A chronyd that does not read loses the sample, as a late one is worth nothing.
    private func send(_ fd: Int32, _ bytes: [UInt8]) throws(SystemFailure) {
        if try System.send(fd, bytes[...]) != nil { samples += 1 }
    }

    /// Once for as long as the same thing is wrong.
    private func fail(_ failure: SystemFailure) {
        let remedy =
            switch failure.number {
            case ENOENT, ECONNREFUSED:
                "add 'refclock SOCK \(name)' to chrony.conf and start chronyd, or remove time.chronySocket"
            case EACCES, EPERM:
                "let the service user write to \(name), which chronyd makes for root: see docs/modules/time-and-gpsd.md"
            default: "see that \(name) is the socket of chronyd"
            }
        let text = "\(failure); \(remedy)"
        guard text != problem else { return }
        problem = text
        log.write(.warning, "chrony.absent", [("problem", .text(text))])
    }
}

extension Int64 {
    /// Rounded towards −∞; `divisor` > 0.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
