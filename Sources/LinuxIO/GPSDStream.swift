import Glibc
public import Ports
import TrackerModel

/// A receiver whose port belongs to a gpsd, here or on another host.
///
/// Takes the receiver's bytes as they are; where nothing in them can be decoded within 4 s, the NMEA that gpsd makes of
/// them. `open` returns before the connection is made: a literal address is tried at once, a name is first looked up by
/// a thread; what fails later arrives as `.lost`. Opening it again is up to its owner.
public final class GPSDStream: ByteStream {
    public let name: String

    private let address: GPSDAddress
    private let reactor: LinuxReactor
    private let lookup: NameLookup
    private var handler: ((ByteStreamEvent) -> Void)?
    private var fd: Int32?
    /// Still to be tried.
    private var untried: ArraySlice<String> = []
    private var conversation = GPSDConversation()
    private var frames = GPSDFrameCheck()
    private var hasBytes = false
    private let alarm: Alarm

    public init(address: GPSDAddress, reactor: LinuxReactor) {
        self.address = address
        self.reactor = reactor
        alarm = Alarm(reactor)
        lookup = NameLookup(reactor: reactor)
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        name = "\(GPSDAddress.scheme)\(host):\(address.port)"
    }

    deinit { close() }

    /// What another host's gpsd sends is taken for real.
    public var isRealDevice: Bool { !address.isLoopback }

    /// A gpsd is in one place.
    public var candidates: [String] { [name] }
    public func choose(_ path: String) {}

    /// - Parameter baud: of no meaning here: gpsd sets the speed of its port.
    public func open(baud: Int, _ handler: @escaping (ByteStreamEvent) -> Void) throws(ByteStreamFailure) {
        close()
        conversation = GPSDConversation()
        frames = GPSDFrameCheck()
        hasBytes = false
        self.handler = handler
        do throws(ByteStreamFailure) {
            if let known = literals {
                untried = known[...]
                try connectNext()
            } else {
                lookup.ask(address.host) { [weak self] in self?.found($0) }
            }
        } catch {
            close()
            throw error
        }
        limit(Self.answerMillis) { [unowned self] in lose(.silentGPSD(name)) }
    }

    /// The speed is gpsd's, and its bytes are right at every one.
    public func setBaud(_ baud: Int) throws(ByteStreamFailure) {}

    /// The port is gpsd's.
    public func write(_ bytes: [UInt8]) throws(ByteStreamFailure) { throw .notThroughGPSD(name) }

    public func close() {
        handler = nil
        lookup.cancel()
        alarm.cancel()
        untried = []
        disconnect()
    }

    /// For the name, the connection and gpsd's first answers together.
    private static let answerMillis: Int64 = 5_000
    /// For the first frame that can be decoded: four periods of the slowest usual rate.
    private static let rawMillis: Int64 = 4_000
    /// Then for the first byte: before the link, after 10 s, would speak of a cable that is not here.
    private static let byteMillis: Int64 = 4_000
    private static let readLimit = 4_096

    /// `localhost` needs no name service; gpsd listens on either address.
    private var literals: [String]? {
        if address.host == "localhost" { return ["127.0.0.1", "::1"] }
        return try? System.addresses(of: address.host, numericOnly: true)
    }

    /// Replaces the one limit that is running; in time of this machine, as gpsd knows no other.
    private func limit(_ millis: Int64, _ passed: @escaping () -> Void) {
        alarm.set(afterMillis: Int64(Double(millis) * reactor.timeScale), toleranceMillis: 100, passed)
    }

    private func disconnect() {
        guard let fd else { return }
        self.fd = nil
        reactor.unwatch(fd)
        System.close(fd)
    }

    private func lose(_ failure: ByteStreamFailure) {
        let handler = self.handler
        close()
        handler?(.lost(failure))
    }
}

// MARK: - Connecting

extension GPSDStream {
    private func found(_ answer: NameLookup.Answer) {
        do throws(ByteStreamFailure) {
            switch answer {
            case .success(let addresses): untried = addresses[...]
            case .failure(let failure): throw .connecting(name, failure)
            }
            try connectNext()
        } catch {
            lose(error)
        }
    }

    /// Starts with the next address that takes a connection.
    private func connectNext() throws(ByteStreamFailure) {
        while let candidate = untried.popFirst() {
            do throws(SystemFailure) {
                let fd = try System.startConnection(to: candidate, port: address.port)
                self.fd = fd
                try reactor.watch(fd, for: .writable) { [unowned self] _ in connected(to: candidate) }
                return
            } catch {
                disconnect()
                if untried.isEmpty { throw .connecting(name, error) }
            }
        }
    }

    private func connected(to candidate: String) {
        guard let fd else { return }
        do throws(SystemFailure) {
            let number = System.connectionError(fd)
            if number != 0 {
                throw SystemFailure(call: "connect", subject: "\(candidate) port \(address.port)", number: number)
            }
            try reactor.watch(fd, for: .readable) { [unowned self] _ in readable() }
        } catch {
            disconnect()
            guard !untried.isEmpty else { return lose(.connecting(name, error)) }
            do throws(ByteStreamFailure) { try connectNext() } catch { lose(error) }
        }
    }
}

// MARK: - Reading

extension GPSDStream {
    private func readable() {
        guard let fd else { return }
        do throws(SystemFailure) {
            guard let bytes = try System.read(fd, limit: Self.readLimit) else { return }
            if bytes.isEmpty { return lose(.closedByGPSD(name)) }
            for step in conversation.take(bytes) where self.fd == fd { follow(step) }
        } catch {
            lose(.connecting(name, error))
        }
    }

    private func follow(_ step: GPSDConversation.Step) {
        switch step {
        case .send(let request): send(request)
        case .refuse(let refusal): lose(.refused(name, refusal))
        case .watching: awaitBytes()
        case .bytes(let bytes):
            hasBytes = true
            frames.note(bytes)
            handler?(.bytes(bytes))
        }
    }

    private func send(_ request: [UInt8]) {
        guard let fd else { return }
        do throws(SystemFailure) {
            // A request is 80 bytes into an empty buffer: it fits, or something is wrong.
            guard try System.send(fd, request[...]) == request.count else {
                throw SystemFailure(call: "send", subject: name, number: ETIMEDOUT)
            }
        } catch {
            lose(.connecting(name, error))
        }
    }

    private func awaitBytes() {
        switch conversation.form {
        case .raw:
            limit(Self.rawMillis) { [unowned self] in
                guard !frames.hasSeenFrame else { return }
                follow(conversation.fallBack())
                if fd != nil { limit(Self.answerMillis) { [unowned self] in lose(.silentGPSD(name)) } }
            }
        case .pseudoNMEA:
            limit(Self.byteMillis) { [unowned self] in
                if !hasBytes { lose(.silentReceiver(name, conversation.device ?? "its receiver")) }
            }
        }
    }
}
