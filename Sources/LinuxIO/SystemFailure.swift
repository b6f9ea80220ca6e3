import CLinux
import Glibc

/// A call of the kernel that failed: which, on what, and why. Equality on the number alone.
public struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call, `open`.
    public var call: String
    /// What it was done to, a path as a rule; empty when there is nothing to name.
    public var subject: String
    /// The kernel's `errno`.
    public var number: Int32

    public init(call: String, subject: String = "", number: Int32) {
        self.call = call
        self.subject = subject
        self.number = number
    }

    /// `open /dev/ttyS0: Permission denied`.
    public var description: String {
        let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return subject.isEmpty ? "\(call): \(text)" : "\(call) \(subject): \(text)"
    }

    public static func == (a: Self, b: Self) -> Bool { a.number == b.number }
}
