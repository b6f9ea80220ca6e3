import CLinux
import Foundation
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("The control socket")
struct ControlSocketTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("control.sock") }

    private func listener(
        _ reactor: LinuxReactor, mode: UInt32 = 0o660,
        _ answer: @escaping (ControlPeer, [UInt8]) -> [UInt8] = { $1.reversed() }
    ) throws -> UnixControlListener {
        let listener = UnixControlListener(path: path, mode: mode, reactor: reactor)
        try listener.listen(ControlTexts(oversized: Array("too long".utf8), dropped: { Array("dropped \($0)".utf8) })) {
            answer($0.peer, $0.line)
        }
        return listener
    }

    /// Runs the loop while `body` talks to it from another thread.
    private func talk<Result: Sendable>(
        _ reactor: LinuxReactor, _ body: @escaping @Sendable (String) -> Result
    ) throws -> Result? {
        let signal = reactor.makeSignal { reactor.stop() }
        let path = path
        let worker = Worker {
            defer { signal.raise() }
            return body(path)
        }
        try Loop.run(reactor)
        return worker.wait()
    }

    @Test("One line, one answer, and who asked")
    func exchange() throws {
        let reactor = try LinuxReactor()
        var peer: ControlPeer?
        let listener = try listener(reactor) {
            peer = $0
            return $1 + [0x21]
        }
        let answer = try talk(reactor) { try? ControlClient.exchange(path: $0, line: [1, 2], timeoutMillis: 5_000) }
        #expect(answer == [1, 2, 0x21])
        #expect(peer?.userID == getuid())
        listener.close()
    }

    @Test("A megabyte each way arrives whole")
    func longLine() throws {
        let reactor = try LinuxReactor()
        let listener = try listener(reactor)
        let line = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 % 251 + 11) }
        let answer = try talk(reactor) { try? ControlClient.exchange(path: $0, line: line, timeoutMillis: 10_000) }
        #expect(answer == line.reversed())
        listener.close()
    }

    @Test("A line over a megabyte gets the refusal and the connection is closed")
    func oversized() throws {
        let reactor = try LinuxReactor()
        var calls = 0
        let listener = try listener(reactor) {
            calls += 1
            return $1
        }
        let line = [UInt8](repeating: 0x41, count: (1 << 20) + 1)
        let answers = try talk(reactor) { path in
            (0..<2).map { _ in try? ControlClient.exchange(path: path, line: line, timeoutMillis: 10_000) }
        }
        #expect(answers == [Array("too long".utf8), Array("too long".utf8)])
        #expect(calls == 0)
        listener.close()
    }

    @Test("Lines split at any byte and several lines at once are answered in order")
    func framing() throws {
        let reactor = try LinuxReactor()
        let listener = try listener(reactor)
        let received = try talk(reactor) { path -> [UInt8] in
            guard let client = try? UnixClient(path: path, withinMillis: 1_000) else { return [] }
            let deadline = System.bootMillis() + 5_000
            for byte in Array("ab\ncd\n".utf8) {
                _ = try? client.send([byte], deadline: deadline)
                usleep(1_000)
            }
            _ = try? client.send(Array("ef\n\ngh\nrest".utf8), deadline: deadline)
            return (try? client.receive(exactly: 13, deadline: deadline)) ?? []
        }
        #expect(received.map { String(decoding: $0, as: UTF8.self) } == "ba\ndc\nfe\n\nhg\n")
        listener.close()
    }

    @Test("A client that sends its line and closes its side still gets the answer")
    func halfClosed() throws {
        let reactor = try LinuxReactor()
        let listener = try listener(reactor)
        let received = try talk(reactor) { path -> [UInt8] in
            guard let fd = try? System.connectedStream(path, withinMillis: 1_000) else { return [] }
            defer { System.close(fd) }
            _ = try? System.send(fd, [0x61, 0x62, 0x0A])
            shutdown(fd, Int32(SHUT_WR))
            _ = try? System.isReady(fd, forWriting: false, withinMillis: 5_000)
            return ((try? System.read(fd, limit: 16)) ?? nil) ?? []
        }
        #expect(received == [0x62, 0x61, 0x0A])
        listener.close()
    }

    @Test("A client that takes no answers holds up nobody else")
    func slowClient() throws {
        let reactor = try LinuxReactor()
        let big = [UInt8](repeating: 0x42, count: 4 << 20)
        let listener = try listener(reactor) { $1 == [0x62] ? big : $1 }
        let answer = try talk(reactor) { path -> [UInt8]? in
            guard let slow = try? UnixClient(path: path, withinMillis: 1_000) else { return nil }
            _ = try? slow.send(Array("b\nb\nb\n".utf8), deadline: System.bootMillis() + 1_000)
            let answer = try? ControlClient.exchange(path: path, line: [0x71], timeoutMillis: 5_000)
            // And takes the three answers after all, when it likes.
            let all = try? slow.receive(exactly: 3 * ((4 << 20) + 1), deadline: System.bootMillis() + 10_000)
            return all == nil ? nil : answer
        }
        #expect(answer == [0x71])
        listener.close()
    }

    @Test("A client that vanishes before its answer is forgotten (E-221)")
    func vanished() throws {
        let reactor = try LinuxReactor()
        let listener = try listener(reactor) { _, _ in [UInt8](repeating: 0x42, count: 4 << 20) }
        let answer = try talk(reactor) { path -> [UInt8]? in
            for _ in 0..<50 {
                guard let client = try? UnixClient(path: path, withinMillis: 1_000) else { return nil }
                _ = try? client.send([0x62, 0x0A], deadline: System.bootMillis() + 1_000)
            }
            return try? ControlClient.exchange(path: path, line: [0x71], timeoutMillis: 10_000)
        }
        #expect((answer ?? nil)?.count == 4 << 20)
        listener.close()
    }

    @Test("More clients than are served at once wait for their turn")
    func manyClients() throws {
        let reactor = try LinuxReactor()
        let listener = try listener(reactor)
        let answers = try talk(reactor) { path -> [Bool] in
            var held = (0..<40).map { _ in try? UnixClient(path: path, withinMillis: 5_000) }
            let last = held.removeLast()
            held = []
            let deadline = System.bootMillis() + 5_000
            _ = try? last?.send([0x61, 0x62, 0x0A], deadline: deadline)
            return [(try? last?.receive(exactly: 3, deadline: deadline)) == [0x62, 0x61, 0x0A]]
        }
        #expect(answers == [true])
        listener.close()
    }

    @Test("The socket has its mode, and is gone after close")
    func modeAndRemoval() throws {
        let listener = try listener(try LinuxReactor(), mode: 0o600)
        #expect(try System.status(path).st_mode & 0o777 == 0o600)
        listener.close()
        listener.close()
        #expect(throws: SystemFailure.self) { try System.status(path) }
    }

    @Test("A live daemon's socket is left alone")
    func inUse() throws {
        let reactor = try LinuxReactor()
        let first = try listener(reactor)
        let failure = listenFailure(reactor)
        #expect(failure?.code == .inUse)
        #expect(failure?.remedy.isEmpty == false)
        let answer = try talk(reactor) { try? ControlClient.exchange(path: $0, line: [1, 2], timeoutMillis: 5_000) }
        #expect(answer == [2, 1])
        first.close()
    }

    @Test("A socket that a killed daemon left is taken over")
    func takenOver() throws {
        let dead = try System.makeUnixSocket()
        try System.bind(dead, to: path)
        try System.listen(dead, backlog: 1)
        System.close(dead)
        let reactor = try LinuxReactor()
        let listener = try listener(reactor)
        let answer = try talk(reactor) { try? ControlClient.exchange(path: $0, line: [7], timeoutMillis: 5_000) }
        #expect(answer == [7])
        listener.close()
    }

    @Test("A file that is no socket is never removed")
    func otherFile() throws {
        directory.put("control.sock", "precious")
        let failure = listenFailure(try LinuxReactor())
        #expect(failure?.code == .cannotBind)
        #expect(try AtomicFile.read(path: path) == Array("precious".utf8))
    }

    @Test("Closing leaves the socket that another daemon has put in its place")
    func foreignSocket() throws {
        let listener = try listener(try LinuxReactor())
        try System.unlink(path)
        let other = try System.makeUnixSocket()
        defer { System.close(other) }
        try System.bind(other, to: path)
        listener.close()
        #expect(try System.status(path).st_mode & S_IFMT == S_IFSOCK)
    }

    @Test("A directory that is missing and a path that is too long say what to do")
    func cannotBind() throws {
        let reactor = try LinuxReactor()
        let missing = listenFailure(reactor, path: "/no/such/dir/control.sock")
        #expect(missing?.code == .cannotBind)
        #expect(missing?.remedy.contains("/no/such/dir") == true)
        let long = listenFailure(reactor, path: directory.file(String(repeating: "x", count: 120)))
        #expect(long?.code == .cannotBind)
        #expect(long?.remedy.contains("107") == true)
    }

    @Test("Nobody there is unreachable; somebody there who does not answer is overdue")
    func unreachable() throws {
        let absent = clientFailure("/no/such/control.sock")
        #expect(absent?.code == .unreachable)
        let mute = try System.makeUnixSocket()
        defer { System.close(mute) }
        try System.bind(mute, to: path)
        #expect(clientFailure(path)?.code == .unreachable)
        try System.listen(mute, backlog: 1)
        #expect(clientFailure(path)?.code == .overdue)
    }

    private func listenFailure(_ reactor: LinuxReactor, path: String? = nil) -> ControlFailure? {
        do throws(ControlFailure) {
            try UnixControlListener(path: path ?? self.path, reactor: reactor).listen(
                ControlTexts(oversized: [], dropped: { _ in [] })
            ) { $0.line }
            return nil
        } catch {
            return error
        }
    }

    private func clientFailure(_ path: String) -> ControlFailure? {
        do throws(ControlFailure) {
            _ = try ControlClient.exchange(path: path, line: [1], timeoutMillis: 100)
            return nil
        } catch {
            return error
        }
    }
}

extension ControlSocketTests {
    @Test("A subscriber gets what is pushed after its reply, in order, until it goes away")
    func subscription() throws {
        let reactor = try LinuxReactor()
        let listener = UnixControlListener(path: path, reactor: reactor)
        var subscriber: (any ControlSubscriber)?
        try listener.listen(ControlTexts(oversized: [], dropped: { Array("lost \($0)".utf8) })) { request in
            subscriber = request.subscriber
            // Pushed while the reply is being made: it follows the reply.
            for number in 0..<5 { request.subscriber.push(Array("event \(number)".utf8)) }
            return Array("reply".utf8)
        }
        let lines = try talk(reactor) { path in
            var lines: [String] = []
            try? ControlClient.stream(path: path, line: [0x78], timeoutMillis: 5_000) { line in
                lines.append(String(decoding: line, as: UTF8.self))
                return lines.count < 6
            }
            return lines
        }
        #expect(lines == ["reply"] + (0..<5).map { "event \($0)" })
        try Loop.idle(reactor, millis: 50)
        #expect(subscriber?.isOpen == false)
        listener.close()
    }

    @Test("A subscriber that does not read keeps the newest 256 lines and learns how many it lost (E-220)")
    func stalledSubscriber() throws {
        let reactor = try LinuxReactor()
        let listener = UnixControlListener(path: path, reactor: reactor)
        try listener.listen(ControlTexts(oversized: [], dropped: { Array("lost \($0)".utf8) })) { request in
            for number in 0..<1_000 { request.subscriber.push(Array("\(number)".utf8)) }
            return Array("reply".utf8)
        }
        let lines = try talk(reactor) { path in
            var lines: [String] = []
            try? ControlClient.stream(path: path, line: [0x78], timeoutMillis: 5_000) { line in
                lines.append(String(decoding: line, as: UTF8.self))
                return line != Array("999".utf8)
            }
            return lines
        }
        #expect(lines?.prefix(3) == ["reply", "lost 744", "744"])
        #expect(lines?.count == 258)
        listener.close()
    }

    /// Sends a line, takes what comes within the loop's time and closes.
    private static func lines(_ path: String, count: Int, closesItsSide: Bool = false) -> [String] {
        guard let fd = try? System.connectedStream(path, withinMillis: 1_000) else { return [] }
        defer { System.close(fd) }
        _ = try? System.send(fd, [0x78, 0x0A])
        if closesItsSide { shutdown(fd, Int32(SHUT_WR)) }
        var received: [UInt8] = []
        while received.count(where: { $0 == 0x0A }) < count {
            _ = try? System.isReady(fd, forWriting: false, withinMillis: 5_000)
            guard let part = (try? System.read(fd, limit: 65_536)) ?? nil, !part.isEmpty else { break }
            received += part
        }
        return String(decoding: received, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("A client that goes away before its late answer is forgotten at once, and wakes the loop no more")
    func goneBeforeLateAnswer() throws {
        let reactor = try LinuxReactor()
        let listener = UnixControlListener(path: path, reactor: reactor)
        var subscriber: (any ControlSubscriber)?
        try listener.listen(ControlTexts(oversized: [], dropped: { _ in [] })) { request in
            subscriber = request.subscriber
            return nil
        }
        _ = try talk(reactor) { Self.lines($0, count: 0) }
        try Loop.idle(reactor, millis: 50)
        let before = reactor.wakeUps
        try Loop.idle(reactor, millis: 100)
        #expect(subscriber?.isOpen == false)
        #expect(reactor.wakeUps - before < 5)
        listener.close()
    }

    @Test("An event is no answer: the late answer follows it, also to a client that has closed its side")
    func lateAnswerAfterEvent() throws {
        let reactor = try LinuxReactor()
        let listener = UnixControlListener(path: path, reactor: reactor)
        try listener.listen(ControlTexts(oversized: [], dropped: { _ in [] })) { request in
            func later(_ millis: Int64, _ act: @escaping () -> Void) {
                reactor.schedule(at: reactor.now.advanced(byMillis: millis), toleranceMillis: 0, act)
            }
            later(50) { request.subscriber.push(Array("event".utf8)) }
            later(100) { request.subscriber.reply(Array("answer".utf8)) }
            return nil
        }
        let received = try talk(reactor) { Self.lines($0, count: 3, closesItsSide: true) }
        #expect(received == ["event", "answer"])
        listener.close()
    }

    @Test("Events that are dropped never displace a late answer")
    func lateAnswerAmongEvents() throws {
        let reactor = try LinuxReactor()
        let listener = UnixControlListener(path: path, reactor: reactor)
        try listener.listen(ControlTexts(oversized: [], dropped: { Array("lost \($0)".utf8) })) { request in
            reactor.schedule(at: reactor.now, toleranceMillis: 0) {
                request.subscriber.reply(Array("answer".utf8))
                for number in 0..<1_000 { request.subscriber.push(Array("\(number)".utf8)) }
            }
            return nil
        }
        let received = try talk(reactor) { Self.lines($0, count: 258) }
        #expect(received?.prefix(3) == ["answer", "lost 744", "744"])
        listener.close()
    }
}
