import CLinux
import Glibc

/// Why a bench device cannot start, and what to do.
public struct BenchFailure: Error, Equatable, Sendable {
    /// What happened.
    public var cause: String
    /// What the person at the bench does next.
    public var remedy: String

    public init(cause: String, remedy: String) {
        self.cause = cause
        self.remedy = remedy
    }

    /// From the call that just failed; reads `errno`, so nothing may be called in between.
    static func call(_ name: String, _ object: String, remedy: String) -> BenchFailure {
        let code = errno
        return BenchFailure(
            cause: "\(name) \(object): \(String(cString: strerror(code))) (errno \(code))", remedy: remedy)
    }
}
