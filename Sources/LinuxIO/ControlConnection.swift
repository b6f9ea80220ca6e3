import Glibc

/// One client of the control socket.
///
/// Reads only while it owes no answer: a client that does not take its answers is not listened to, and holds one line
/// and one answer at most.
final class ControlConnection {
    private let fd: Int32
    private let reactor: LinuxReactor
    private let oversizedReply: [UInt8]
    private let answer: ([UInt8]) -> [UInt8]
    private let closed: () -> Void

    private var input: [UInt8] = []
    /// How much of `input` is known to hold no line end.
    private var searched = 0
    private var output: ArraySlice<UInt8> = []
    /// Nothing more will be read: the client has finished, or is refused.
    private var isEnding = false
    private var isOpen = true

    /// The longest line without its end (spec api §1).
    static let longestLine = 1 << 20

    init(
        fd: Int32, reactor: LinuxReactor, oversizedReply: [UInt8], answer: @escaping ([UInt8]) -> [UInt8],
        closed: @escaping () -> Void
    ) {
        self.fd = fd
        self.reactor = reactor
        self.oversizedReply = oversizedReply
        self.answer = answer
        self.closed = closed
    }

    func start() { expect(.readable) }

    func close() {
        guard isOpen else { return }
        isOpen = false
        reactor.unwatch(fd)
        System.close(fd)
        closed()
    }

    private func expect(_ events: FileEvents) {
        do throws(SystemFailure) {
            try reactor.watch(fd, for: events) { [weak self] _ in self?.ready() }
        } catch {
            close()
        }
    }

    private func ready() {
        do throws(SystemFailure) {
            if output.isEmpty { try receive() }
            try serve()
        } catch {
            close()
        }
    }

    /// One read a wake-up, so that a busy client does not keep the others waiting.
    private func receive() throws(SystemFailure) {
        guard !isEnding, let bytes = try System.read(fd, limit: 65_536) else { return }
        if bytes.isEmpty { isEnding = true }
        input += bytes
    }

    /// Answers the lines that are complete, as long as the client takes the answers.
    private func serve() throws(SystemFailure) {
        repeat {
            // The one who answered may have closed the listener, and this with it.
            guard isOpen else { return }
            try flush()
            guard output.isEmpty else { return expect(.writable) }
        } while answerNextLine()
        if isEnding { close() } else { expect(.readable) }
    }

    private func flush() throws(SystemFailure) {
        while !output.isEmpty, let count = try System.send(fd, output) { output = output.dropFirst(count) }
    }

    /// False when there is no complete line.
    private func answerNextLine() -> Bool {
        let end = input[searched...].firstIndex(of: 0x0A)
        guard (end ?? input.count) <= Self.longestLine else {
            input = []
            searched = 0
            isEnding = true
            output = (oversizedReply + [0x0A])[...]
            return true
        }
        guard let end else {
            searched = input.count
            return false
        }
        let line = Array(input[..<end])
        input.removeSubrange(...end)
        searched = 0
        output = (answer(line) + [0x0A])[...]
        return true
    }
}
