import Ports
import TrackerModel

/// A line of a simulated board, on a Unix stream: who connects gets the level at once, as the byte `0` or `1`, and a byte
/// at every change; who sends such a byte drives the line.
final class UnixSocketLine: DigitalInput, DigitalOutput {
    private static let high = UInt8(ascii: "1")
    private static let low = UInt8(ascii: "0")
    private static let answerMillis: Int64 = 1_000
    private static let mostBytesAtOnce = 64

    let name: String
    private(set) var isActive: Bool
    private(set) var failure: LineFailure?
    private let isActiveLow: Bool
    private let reactor: LinuxReactor
    private let fd: Int32
    private var isOpen = true
    private var onEdge: (LineEdge) -> Void = { _ in }

    /// The socket that a line's name means; `nil` for a line of the machine.
    static func path(_ text: String) -> String? {
        guard case .name(let name) = LineAddress(text).place, name.hasPrefix("unix:") else { return nil }
        return String(name.dropFirst("unix:".count))
    }

    init(_ text: String, path: String, reactor: LinuxReactor) throws(LineFailure) {
        name = text
        isActiveLow = LineAddress(text).isActiveLow
        self.reactor = reactor
        do throws(SystemFailure) {
            fd = try System.connectedStream(path, withinMillis: Self.answerMillis)
        } catch {
            throw LineFailure(cause: "\(error)", remedy: "start the simulator that serves the line \(path)")
        }
        isActive = false
        _ = try? System.isReady(fd, forWriting: false, withinMillis: Self.answerMillis)
        if let level = try? System.read(fd, limit: Self.mostBytesAtOnce)?.last { isActive = means(level) }
    }

    deinit { close() }

    func listen(_ onEdge: @escaping (LineEdge) -> Void) throws(LineFailure) {
        self.onEdge = onEdge
        do throws(SystemFailure) {
            try reactor.watch(fd, for: .readable) { [unowned self] _ in ready() }
        } catch { throw .using(name, error.number) }
    }

    func set(_ isActive: Bool) throws(LineFailure) {
        guard isOpen else { return }
        do throws(SystemFailure) {
            _ = try System.send(fd, [isActive == isActiveLow ? Self.low : Self.high])
        } catch { throw .using(name, error.number) }
        self.isActive = isActive
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        reactor.unwatch(fd)
        System.close(fd)
    }

    private func means(_ level: UInt8) -> Bool { (level == Self.high) != isActiveLow }

    private func ready() {
        let read: [UInt8]?
        do throws(SystemFailure) { read = try System.read(fd, limit: Self.mostBytesAtOnce) } catch { read = [] }
        guard let bytes = read else { return }
        if bytes.isEmpty {
            failure = LineFailure(cause: "nobody serves the line \(name) any more", remedy: "start the simulator again")
            return close()
        }
        for byte in bytes where isOpen && means(byte) != isActive {
            isActive.toggle()
            onEdge(LineEdge(isActive: isActive, at: reactor.now))
        }
    }
}
