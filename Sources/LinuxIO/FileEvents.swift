import CLinux

/// What a descriptor can be watched for, and what happened to it (epoll_ctl(2)).
public struct FileEvents: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let readable = FileEvents(rawValue: EPOLLIN.rawValue)
    public static let writable = FileEvents(rawValue: EPOLLOUT.rawValue)
    /// Both directions are closed; always reported, never asked for.
    public static let hungUp = FileEvents(rawValue: EPOLLHUP.rawValue)
    /// The descriptor failed; always reported, never asked for.
    public static let failed = FileEvents(rawValue: EPOLLERR.rawValue)
}
