import Glibc
import Ports

/// One client of the control socket.
///
/// Reads only while it has nothing to send: a client that does not take its answers is not listened to, and holds one
/// line, one answer, the late ones and the newest events at most.
final class ControlConnection: ControlSubscriber {
    private let fd: Int32
    private let reactor: LinuxReactor
    private let texts: ControlTexts
    private let answer: ([UInt8], any ControlSubscriber) -> [UInt8]?
    private let closed: () -> Void

    private var input: [UInt8] = []
    /// How much of `input` is known to hold no line end.
    private var searched = 0
    private var output: ArraySlice<UInt8> = []
    /// Nothing more will be read: the client has finished, or is refused.
    private var isEnding = false
    private(set) var isOpen = true
    /// Lines pushed and not yet on their way, and how many were dropped before them.
    private var events: [[UInt8]] = []
    private var dropped = 0
    /// How many answers come later, and those that have come. No event may displace them: each line gets its reply.
    private var owed = 0
    private var answers: [[UInt8]] = []

    /// The longest line without its end (spec api §1).
    static let longestLine = 1 << 20
    /// Events kept for a client that does not read (spec api §1).
    static let mostEvents = 256

    init(
        fd: Int32, reactor: LinuxReactor, texts: ControlTexts,
        answer: @escaping ([UInt8], any ControlSubscriber) -> [UInt8]?, closed: @escaping () -> Void
    ) {
        self.fd = fd
        self.reactor = reactor
        self.texts = texts
        self.answer = answer
        self.closed = closed
    }

    func start() { expect(.readable) }

    func push(_ line: [UInt8]) {
        guard isOpen else { return }
        events.append(line)
        if events.count > Self.mostEvents {
            events.removeFirst()
            dropped += 1
        }
        if events.count == 1 { sendSoon() }
    }

    func reply(_ line: [UInt8]) {
        guard isOpen else { return }
        owed = max(0, owed - 1)
        answers.append(line)
        sendSoon()
    }

    /// From the loop: the caller may be in the middle of answering this very client.
    private func sendSoon() {
        if output.isEmpty { expect(isEnding ? .writable : [.readable, .writable]) }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        reactor.unwatch(fd)
        System.close(fd)
        closed()
    }

    private func expect(_ events: FileEvents) {
        do throws(SystemFailure) {
            try reactor.watch(fd, for: events) { [weak self] in self?.ready($0) }
        } catch {
            close()
        }
    }

    private func ready(_ happened: FileEvents) {
        // A hang-up is told at every wait as long as the descriptor is watched, and nobody is left to take what is owed.
        if isEnding, !happened.isDisjoint(with: [.hungUp, .failed]) { return close() }
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

    /// Answers the lines that are complete and sends what was pushed, as long as the client takes it.
    private func serve() throws(SystemFailure) {
        repeat {
            // The one who answered may have closed the listener, and this with it.
            guard isOpen else { return }
            try flush()
            guard output.isEmpty else { return expect(.writable) }
        } while answerNextLine() || takeNextAnswer() || takeNextEvent()
        if isEnding, owed == 0 { close() } else { expect(isEnding ? [] : .readable) }
    }

    /// False when no late answer has come.
    private func takeNextAnswer() -> Bool {
        guard !answers.isEmpty else { return false }
        output = (answers.removeFirst() + [0x0A])[...]
        return true
    }

    /// False when nothing was pushed.
    private func takeNextEvent() -> Bool {
        guard !events.isEmpty else { return false }
        let next = dropped > 0 ? texts.dropped(dropped) : events.removeFirst()
        dropped = 0
        output = (next + [0x0A])[...]
        return true
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
            output = (texts.oversized + [0x0A])[...]
            return true
        }
        guard let end else {
            searched = input.count
            return false
        }
        let line = Array(input[..<end])
        input.removeSubrange(...end)
        searched = 0
        if let reply = answer(line, self) { output = (reply + [0x0A])[...] } else { owed += 1 }
        return true
    }
}
