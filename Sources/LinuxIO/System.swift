import CLinux
import Glibc

/// The one door to the kernel: an interrupted call is made again, would-block is a value (`nil`), and everything else
/// is thrown with the name of the call.
enum System {
    /// Makes a call whose negative result means `errno`, again while it is interrupted.
    @discardableResult
    static func call<Result: FixedWidthInteger>(
        _ name: String, on subject: String = "", _ body: () -> Result
    ) throws(SystemFailure) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = linux_errno()
            if number != EINTR { throw SystemFailure(call: name, subject: subject, number: number) }
        }
    }

    /// Like `call`; `nil` when it would have had to wait.
    static func attempt<Result: FixedWidthInteger>(
        _ name: String, on subject: String = "", _ body: () -> Result
    ) throws(SystemFailure) -> Result? {
        do {
            return try call(name, on: subject, body)
        } catch {
            if error.number == EAGAIN || error.number == EWOULDBLOCK { return nil }
            throw error
        }
    }

    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemFailure) -> Int32 {
        try call("open", on: path) { linux_open(path, flags, mode) }
    }

    /// Never made twice: Linux has released the descriptor even when `close` reports an interruption (close(2)).
    static func close(_ fd: Int32) {
        _ = Glibc.close(fd)
    }

    /// Up to `limit` bytes; empty at the end of the file, `nil` when nothing is there yet.
    static func read(_ fd: Int32, limit: Int) throws(SystemFailure) -> [UInt8]? {
        var failure: SystemFailure?
        var isEmptyHanded = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(SystemFailure) {
                let result = try attempt("read") { Glibc.read(fd, buffer.baseAddress, limit) }
                isEmptyHanded = result == nil
                count = result ?? 0
            } catch {
                failure = error
                count = 0
            }
        }
        if let failure { throw failure }
        return isEmptyHanded ? nil : bytes
    }

    /// Writes what fits and says how much that was; `nil` when nothing fits now.
    static func write(_ fd: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemFailure) -> Int? {
        try attempt("write") { bytes.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) } }
    }

    /// Like `write`, for sockets: a vanished peer is `EPIPE`, never a signal.
    static func send(_ fd: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemFailure) -> Int? {
        try attempt("send") { bytes.withUnsafeBytes { linux_send(fd, $0.baseAddress, $0.count) } }
    }

    /// Whether the descriptor became readable (or writable) within `millis`.
    static func isReady(_ fd: Int32, forWriting: Bool, withinMillis millis: Int64) throws(SystemFailure) -> Bool {
        let bound = Int32(clamping: max(0, millis))
        return try call("poll") { linux_wait_ready(fd, forWriting ? 1 : 0, bound) } > 0
    }

    static func rename(_ from: String, to: String) throws(SystemFailure) {
        try call("rename", on: to) { Glibc.rename(from, to) }
    }

    static func unlink(_ path: String) throws(SystemFailure) {
        try call("unlink", on: path) { Glibc.unlink(path) }
    }

    static func sync(_ fd: Int32, _ path: String) throws(SystemFailure) {
        try call("fsync", on: path) { fsync(fd) }
    }

    static func makeDirectory(_ path: String, mode: mode_t) throws(SystemFailure) {
        try call("mkdir", on: path) { mkdir(path, mode) }
    }

    static func changeMode(_ path: String, _ mode: mode_t) throws(SystemFailure) {
        try call("chmod", on: path) { chmod(path, mode) }
    }

    /// What a path is, a symbolic link itself.
    static func status(_ path: String) throws(SystemFailure) -> stat {
        var result = stat()
        try call("lstat", on: path) { lstat(path, &result) }
        return result
    }

    /// The absolute path behind all symbolic links.
    static func resolve(_ path: String) throws(SystemFailure) -> String {
        guard let resolved = realpath(path, nil) else {
            throw SystemFailure(call: "realpath", subject: path, number: linux_errno())
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Locks the open file for this process alone; `false` when another holds it. Released with the descriptor.
    static func lock(_ fd: Int32) throws(SystemFailure) -> Bool {
        try attempt("flock") { flock(fd, LOCK_EX | LOCK_NB) } != nil
    }

    /// The milliseconds of the boot clock, for bounding a wait.
    static func bootMillis() -> Int64 { linux_clock_nanos(CLOCK_BOOTTIME) / 1_000_000 }
}
