import CLinux
import Glibc

/// One client: bytes in, bytes out, and an answer that may have to wait.
struct ReceiverConnection {
    let descriptor: Int32
    var requests = HTTPRequestReader()
    var closesAfterAnswer = false
    /// After a refusal the rest of the request is read and thrown away: closing with unread bytes would reset the
    /// connection and could take the answer away from the client.
    var discardsInput = false
    /// When a held answer goes out; no further request is looked at before.
    private(set) var answerDueAt: Int64?
    private var held: [UInt8] = []
    private var outgoing: ArraySlice<UInt8> = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Nothing is read while an answer waits or is on its way: a client that never reads cannot make memory grow.
    var isBusy: Bool { answerDueAt != nil || !outgoing.isEmpty }
    var interest: Int32 { !outgoing.isEmpty ? POLLOUT : answerDueAt == nil ? POLLIN : 0 }

    mutating func send(_ bytes: [UInt8]) { outgoing += bytes }

    mutating func hold(_ bytes: [UInt8], until due: Int64) {
        held = bytes
        answerDueAt = due
    }

    mutating func releaseIfDue(at now: Int64) {
        guard let due = answerDueAt, due <= now else { return }
        answerDueAt = nil
        send(held)
        held = []
    }

    /// False when the client is gone.
    mutating func readMore() -> Bool {
        guard !isBusy else { return !hasHungUp }
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &part, part.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        if !discardsInput { requests.append(part[..<count]) }
        return count > 0
    }

    /// A hang-up is reported without being asked for; left alone it would wake every turn.
    private var hasHungUp: Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// False when the client is gone or everything is said.
    mutating func writeMore() -> Bool {
        while !outgoing.isEmpty {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            outgoing = outgoing.dropFirst(count)
        }
        if closesAfterAnswer, answerDueAt == nil {
            guard discardsInput else { return false }
            shutdown(descriptor, Int32(SHUT_WR))
        }
        return true
    }
}
