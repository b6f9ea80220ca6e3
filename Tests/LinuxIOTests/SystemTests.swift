import CLinux
import Glibc
import Testing

@testable import LinuxIO

@Suite("The door to the kernel")
struct SystemTests {
    /// One row a call: made on a descriptor that does not exist, or a path that does not.
    static let refusals: [(call: String, number: Int32, make: @Sendable () throws(SystemFailure) -> Void)] = [
        ("read", EBADF, { () throws(SystemFailure) in _ = try System.read(-1, limit: 8) }),
        ("write", EBADF, { () throws(SystemFailure) in _ = try System.write(-1, [1]) }),
        ("send", EBADF, { () throws(SystemFailure) in _ = try System.send(-1, [1]) }),
        ("accept", EBADF, { () throws(SystemFailure) in _ = try System.accept(-1) }),
        ("listen", EBADF, { () throws(SystemFailure) in try System.listen(-1, backlog: 1) }),
        ("connect", EBADF, { () throws(SystemFailure) in try System.connect(-1, to: "/tmp/x") }),
        ("bind", EBADF, { () throws(SystemFailure) in try System.bind(-1, to: "/tmp/x") }),
        ("fcntl", EBADF, { () throws(SystemFailure) in try System.setNonBlocking(-1) }),
        ("flock", EBADF, { () throws(SystemFailure) in _ = try System.lock(-1) }),
        ("fsync", EBADF, { () throws(SystemFailure) in try System.sync(-1, "") }),
        ("epoll_ctl", EBADF, { () throws(SystemFailure) in try System.epollAdd(-1, -1, .readable) }),
        ("epoll_ctl", EBADF, { () throws(SystemFailure) in try System.epollModify(-1, -1, .readable) }),
        ("epoll_ctl", EBADF, { () throws(SystemFailure) in try System.epollRemove(-1, -1) }),
        ("timerfd_settime", EBADF, { () throws(SystemFailure) in try System.armTimer(-1, atBootNanos: 1) }),
        ("read", EBADF, { () throws(SystemFailure) in _ = try System.readSignal(-1) }),
        ("open", ENOENT, { () throws(SystemFailure) in _ = try System.open("/no/such", O_RDONLY) }),
        ("lstat", ENOENT, { () throws(SystemFailure) in _ = try System.status("/no/such") }),
        ("unlink", ENOENT, { () throws(SystemFailure) in try System.unlink("/no/such") }),
        ("mkdir", ENOENT, { () throws(SystemFailure) in try System.makeDirectory("/no/such/dir", mode: 0o755) }),
        ("chmod", ENOENT, { () throws(SystemFailure) in try System.changeMode("/no/such", 0o600) }),
        ("rename", ENOENT, { () throws(SystemFailure) in try System.rename("/no/such", to: "/no/other") }),
        ("realpath", ENOENT, { () throws(SystemFailure) in _ = try System.resolve("/no/such") }),
        (
            "connect", ENOENT,
            { () throws(SystemFailure) in _ = try System.connectedStream("/no/such", withinMillis: 9) }
        ),
        (
            "bind", ENAMETOOLONG,
            { () throws(SystemFailure) in try System.bind(-1, to: String(repeating: "x", count: 108)) }
        ),
    ]

    @Test("A refused call is thrown with its name and the system's number", arguments: 0..<refusals.count)
    func refusal(row: Int) {
        let expected = Self.refusals[row]
        do throws(SystemFailure) {
            try expected.make()
            Issue.record("\(expected.call) succeeded")
        } catch {
            #expect(error.call == expected.call)
            #expect(error.number == expected.number, "\(error)")
        }
    }

    @Test("An interrupted call is made again until it is answered")
    func interrupted() throws {
        var answers: [(Int, Int32)] = [(-1, EINTR), (-1, EINTR), (7, 0)]
        let result = try System.call("read") { () -> Int in
            let (result, number) = answers.removeFirst()
            errno = number
            return result
        }
        #expect(result == 7)
        #expect(answers.isEmpty)
    }

    @Test("Would-block is a value, after an interruption too")
    func wouldBlock() throws {
        var numbers = [EINTR, EAGAIN]
        let result = try System.attempt("read") { () -> Int in
            errno = numbers.removeFirst()
            return -1
        }
        #expect(result == nil)
    }

    @Test("A pipe tells nothing-yet from the end")
    func pipeStates() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        try System.setNonBlocking(ends[0])
        #expect(try System.read(ends[0], limit: 4) == nil)
        #expect(try System.write(ends[1], [1, 2, 3, 4, 5]) == 5)
        #expect(try System.read(ends[0], limit: 4) == [1, 2, 3, 4])
        #expect(try System.read(ends[0], limit: 4) == [5])
        System.close(ends[1])
        #expect(try System.read(ends[0], limit: 4) == [])
        System.close(ends[0])
    }

    @Test("A failure names call, subject and reason")
    func wording() {
        let failure = SystemFailure(call: "open", subject: "/dev/x", number: EACCES)
        #expect("\(failure)" == "open /dev/x: Permission denied")
        #expect("\(SystemFailure(call: "poll", number: EBADF))" == "poll: Bad file descriptor")
    }
}
