import CLinux
import Glibc
import Ports
import Synchronization

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
        isAsking = Question(host: host, mailbox: mailbox).start()
        if !isAsking {
            mailbox.post(.failure(SystemFailure(call: "pthread_create", subject: host, number: EAGAIN)))
        }
    }

    func cancel() { answered = nil }

    private func deliver() {
        guard let answer = mailbox?.takeAll().last else { return }
        isAsking = false
        let answered = self.answered
        self.answered = nil
        answered?(answer)
    }
}

/// One question on its own detached thread; only values cross.
private final class Question: Sendable {
    private let host: String
    private let mailbox: Mailbox<NameLookup.Answer>

    init(host: String, mailbox: Mailbox<NameLookup.Answer>) {
        self.host = host
        self.mailbox = mailbox
    }

    /// `false` when the system has no room for a thread.
    func start() -> Bool {
        // The thread inherits the mask: signals are the loop's.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Question>.fromOpaque(context).takeRetainedValue().answer()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func answer() {
        do throws(SystemFailure) {
            mailbox.post(.success(try System.addresses(of: host, numericOnly: false)))
        } catch {
            mailbox.post(.failure(error))
        }
    }
}
