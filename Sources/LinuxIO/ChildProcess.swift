import CLinux
import Glibc

/// A program that is run to its end.
enum ChildProcess {
    /// A program that takes longer hangs, and is killed.
    static let limitMillis: Int32 = 30_000

    /// Runs a program without arguments and waits for it; its input is empty, its output goes where ours does.
    ///
    /// Waits on the calling thread.
    static func run(
        _ path: String, arguments: [String] = [], limitMillis: Int32 = limitMillis
    ) throws(ChildFailure) {
        let isOver: Bool
        var status: Int32 = 0
        do throws(SystemFailure) {
            let child = try spawn(path, arguments)
            // One that cannot be watched is not left behind.
            isOver = (try? ends(child, within: limitMillis)) ?? false
            if !isOver { kill(child, SIGKILL) }
            try System.call("waitpid", on: path) { waitpid(child, &status, 0) }
        } catch { throw ChildFailure(description: "\(error)") }
        guard isOver else { throw ChildFailure(description: "\(path) did not end in time and was killed") }
        // 0: it ended by itself, and well (wait(2), WIFEXITED and WEXITSTATUS).
        guard status == 0 else { throw ChildFailure(description: "\(path) ended with status \(status >> 8 & 0xFF)") }
    }

    private static func ends(_ child: pid_t, within millis: Int32) throws(SystemFailure) -> Bool {
        let handle = try System.call("pidfd_open") { linux_pidfd_open(child) }
        defer { System.close(handle) }
        var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        return try System.call("poll") { poll(&entry, 1, millis) } > 0
    }

    private static func spawn(_ path: String, _ arguments: [String]) throws(SystemFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The thread blocks every signal and the daemon ignores SIGPIPE: neither is the program's business.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words = ([path] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        var child = pid_t()
        let code = posix_spawn(&child, path, &actions, &attributes, words, environ)
        guard code == 0 else { throw SystemFailure(call: "run", subject: path, number: code) }
        return child
    }
}

/// Why a program was of no use, in words.
struct ChildFailure: Error, CustomStringConvertible {
    var description: String
}
