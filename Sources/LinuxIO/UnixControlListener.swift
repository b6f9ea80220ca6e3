import CLinux
import Glibc
public import Ports
import TrackerModel

/// The control socket (spec api §1): line by line, several clients, none of which can hold up the loop.
public final class UnixControlListener: ControlListener {
    private let path: String
    private let mode: UInt32
    private let reactor: LinuxReactor

    private var listening: Int32?
    private var isAccepting = false
    /// Device and inode of the socket file this listener made.
    private var identity: (device: dev_t, inode: ino_t)?
    private var clients: [Int32: ControlConnection] = [:]
    private var handler: ((ControlRequest) -> [UInt8]?)?
    private var texts: ControlTexts?

    /// - Parameters:
    ///   - path: at most 107 bytes; the directory must exist.
    ///   - mode: permissions of the socket file.
    public init(path: String, mode: UInt32 = 0o660, reactor: LinuxReactor) {
        self.path = path
        self.mode = mode
        self.reactor = reactor
    }

    deinit { close() }

    public func listen(
        _ texts: ControlTexts, _ handler: @escaping (ControlRequest) -> [UInt8]?
    ) throws(ControlFailure) {
        close()
        do throws(SystemFailure) {
            let fd = try System.makeUnixSocket()
            do throws(SystemFailure) {
                try bind(fd)
                // Between bind and listen nobody can connect: the mode is right for the first client.
                try System.changeMode(path, mode)
                try System.listen(fd, backlog: 16)
            } catch {
                System.close(fd)
                throw error
            }
            listening = fd
        } catch {
            throw .listening(path, error)
        }
        self.texts = texts
        self.handler = handler
        startAccepting()
    }

    /// Drops the clients and removes the socket file, unless somebody else has put theirs there.
    public func close() {
        guard let fd = listening else { return }
        stopAccepting()
        listening = nil
        handler = nil
        for client in clients.values { client.close() }
        System.close(fd)
        if let identity, let found = try? System.status(path),
            found.st_dev == identity.device, found.st_ino == identity.inode
        {
            _ = try? System.unlink(path)
        }
        identity = nil
    }

    /// More at once is no operator at work; the next ones wait, so that descriptors remain for the tracker.
    private static let mostClients = 32

    private func bind(_ fd: Int32) throws(SystemFailure) {
        do throws(SystemFailure) {
            try System.bind(fd, to: path)
        } catch {
            guard error.number == EADDRINUSE else { throw error }
            try removeDeadSocket()
            try System.bind(fd, to: path)
        }
        let made = try System.status(path)
        identity = (made.st_dev, made.st_ino)
    }

    /// A socket file on which nobody listens is what a killed daemon left. Only a socket is ever removed.
    /// - Throws: `EADDRINUSE` when somebody listens, `ENOTSOCK` when it is another kind of file.
    private func removeDeadSocket() throws(SystemFailure) {
        guard try System.status(path).st_mode & S_IFMT == S_IFSOCK else {
            throw SystemFailure(call: "bind", subject: path, number: ENOTSOCK)
        }
        do throws(SystemFailure) {
            System.close(try System.connectedStream(path, withinMillis: 200))
        } catch {
            guard error.number == ECONNREFUSED else {
                throw error.number == EAGAIN ? SystemFailure(call: "bind", subject: path, number: EADDRINUSE) : error
            }
            try System.unlink(path)
            return
        }
        throw SystemFailure(call: "bind", subject: path, number: EADDRINUSE)
    }

    private func startAccepting() {
        guard let listening, !isAccepting else { return }
        let watched: Void? = try? reactor.watch(listening, for: .readable) { [weak self] _ in self?.acceptWaiting() }
        isAccepting = watched != nil
        if !isAccepting { acceptLater() }
    }

    private func stopAccepting() {
        if let listening { reactor.unwatch(listening) }
        isAccepting = false
    }

    /// Without a free descriptor the one that waits would wake the loop without end.
    private func acceptLater() {
        reactor.schedule(at: reactor.now.advanced(byMillis: 1_000), toleranceMillis: 0) { [weak self] in
            self?.startAccepting()
        }
    }

    private func acceptWaiting() {
        guard let listening else { return }
        do throws(SystemFailure) {
            while clients.count < Self.mostClients, let fd = try System.accept(listening) { admit(fd) }
            if clients.count == Self.mostClients { stopAccepting() }
        } catch {
            stopAccepting()
            acceptLater()
        }
    }

    private func admit(_ fd: Int32) {
        let user = linux_peer_uid(fd)
        guard let handler, let texts, user >= 0 else {
            System.close(fd)
            return
        }
        let peer = ControlPeer(userID: UInt32(truncatingIfNeeded: user))
        let client = ControlConnection(
            fd: fd, reactor: reactor, texts: texts,
            answer: { handler(ControlRequest(peer: peer, line: $0, subscriber: $1)) },
            closed: { [weak self] in self?.forget(fd) })
        clients[fd] = client
        client.start()
    }

    private func forget(_ fd: Int32) {
        clients[fd] = nil
        startAccepting()
    }
}
