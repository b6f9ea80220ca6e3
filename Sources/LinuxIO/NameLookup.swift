import CLinux
import Glibc
import Ports

/// Asks the name service on a thread of its own, so that the loop never waits for it.
final class NameLookup {
    typealias Answer = Result<[String], SystemFailure>

    private var mailbox: Mailbox<Answer>?
    private var answered: ((Answer) -> Void)?
    /// At most one thread: a name service that hangs must not collect them.
    private var isAsking = false

    init(reactor: any Reactor) {
        let signal = reactor.makeSignal { [weak self] in self?.deliver() }
        mailbox = Mailbox(signal: signal)
    }

    /// Calls `answered` once on the loop, never from inside, unless `cancel` comes first. While an earlier question for
    /// the same host is still open, its answer serves this one too.
    func ask(_ host: String, answered: @escaping (Answer) -> Void) {
        self.answered = answered
        guard !isAsking, let mailbox else { return }
        // Only values cross.
        let thread = WorkerThread { mailbox.post(Self.answer(to: host)) }
        thread?.detach()
        isAsking = thread != nil
        if !isAsking {
            mailbox.post(.failure(SystemFailure(call: "pthread_create", subject: host, number: EAGAIN)))
        }
    }

    func cancel() { answered = nil }

    private static func answer(to host: String) -> Answer {
        do throws(SystemFailure) {
            return .success(try System.addresses(of: host, numericOnly: false))
        } catch { return .failure(error) }
    }

    private func deliver() {
        guard let answer = mailbox?.takeAll().last else { return }
        isAsking = false
        let answered = self.answered
        self.answered = nil
        answered?(answer)
    }
}
