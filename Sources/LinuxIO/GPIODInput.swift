import CGpiod
import CLinux
import Glibc
import Ports
import TrackerModel

/// A line whose edges come through the loop.
///
/// An open wire may change a thousand times a second (E-116): beyond 100 edges in a second the descriptor rests until the
/// next one, and only the level that it then has is told.
final class GPIODInput: DigitalInput {
    private static let mostEdgesASecond = 100
    private static let restMillis: Int64 = 1_000
    /// Full reads that empty the kernel's queue after a rest; a storm that goes on fills it as fast as it is read.
    private static let readsAfterRest = 4

    let name: String
    private(set) var failure: LineFailure?
    private let reactor: LinuxReactor
    private let onEdge: (LineEdge) -> Void
    private var line: gpio_line
    private let fd: Int32
    /// What was told last.
    private var level: Bool
    private var window = (start: Instant.zero, edges: 0)
    private let rest: Alarm

    init(
        _ name: String, _ line: gpio_line, reactor: LinuxReactor, onEdge: @escaping (LineEdge) -> Void
    ) throws(LineFailure) {
        self.name = name
        self.line = line
        self.reactor = reactor
        rest = Alarm(reactor)
        self.onEdge = onEdge
        fd = gpio_line_fd(&self.line)
        level = gpio_line_value(&self.line) > 0
        try listen()
    }

    deinit { close() }

    var isActive: Bool {
        guard line.chip != nil else { return level }
        let value = gpio_line_value(&line)
        return value < 0 ? level : value > 0
    }

    func close() {
        guard line.chip != nil else { return }
        rest.cancel()
        reactor.unwatch(fd)
        gpio_line_close(&line)
    }

    private func listen() throws(LineFailure) {
        do throws(SystemFailure) {
            try reactor.watch(fd, for: .readable) { [unowned self] _ in ready() }
        } catch { throw .using(name, error.number) }
    }

    private func ready() {
        let edges = read()
        let now = reactor.now
        if now.millis(since: window.start) >= Self.restMillis { window = (now, 0) }
        window.edges += edges.count
        if window.edges > Self.mostEdgesASecond { takeRest(from: now) }
        for edge in edges where line.chip != nil { tell(edge) }
    }

    private func takeRest(from now: Instant) {
        reactor.unwatch(fd)
        rest.set(at: now.advanced(byMillis: Self.restMillis), toleranceMillis: 100) { [unowned self] in resume() }
    }

    private func resume() {
        for _ in 0..<Self.readsAfterRest {
            guard (try? System.isReady(fd, forWriting: false, withinMillis: 0)) == true, !read().isEmpty else { break }
        }
        guard failure == nil else { return }
        do throws(LineFailure) { try listen() } catch { return fail(error) }
        let now = isActive
        if now != level { tell(LineEdge(isActive: now, at: reactor.now)) }
    }

    private func tell(_ edge: LineEdge) {
        level = edge.isActive
        onEdge(edge)
    }

    /// Only when something is there: the library waits for an edge.
    private func read() -> [LineEdge] {
        var edges = [gpio_edge](repeating: gpio_edge(), count: Int(GPIO_MOST_EDGES))
        let count = gpio_line_read(&line, &edges)
        guard count >= 0 else {
            let number = linux_errno()
            if number != EINTR && number != EAGAIN { fail(.using(name, number)) }
            return []
        }
        return edges.prefix(Int(count)).map { LineEdge(isActive: $0.is_active, at: instant(of: $0.monotonic_nanos)) }
    }

    /// The loop's clock counts suspended time and the kernel's stamp does not: what both agree on is the age.
    private func instant(of monotonicNanos: Int64) -> Instant {
        let age = max(0, linux_clock_nanos(CLOCK_MONOTONIC) - monotonicNanos)
        return reactor.now.advanced(byNanos: -Int64(Double(age) * reactor.timeScale))
    }

    private func fail(_ failure: LineFailure) {
        self.failure = failure
        reactor.unwatch(fd)
    }
}
