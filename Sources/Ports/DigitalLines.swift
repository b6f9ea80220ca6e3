public import TrackerModel

/// Why a line cannot be used.
public struct LineFailure: ExplainedFailure, Equatable, Sendable {
    public var cause: String
    public var remedy: String

    public init(cause: String, remedy: String) {
        self.cause = cause
        self.remedy = remedy
    }
}

/// A line changed.
public struct LineEdge: Equatable, Sendable {
    /// What it changed to.
    public var isActive: Bool
    /// When, by the kernel's interrupt; not when the loop came to it.
    public var at: Instant

    public init(isActive: Bool, at: Instant) {
        self.isActive = isActive
        self.at = at
    }
}

/// A line that is listened to until it is closed.
public protocol DigitalInput: AnyObject {
    var name: String { get }
    /// The level now.
    var isActive: Bool { get }
    /// Why nothing will be heard of the line any more, such as an expander that was unplugged.
    var failure: LineFailure? { get }
    func close()
}

extension DigitalInput {
    public var failure: LineFailure? { nil }
}

/// A line that is driven until it is closed.
public protocol DigitalOutput: AnyObject {
    var name: String { get }
    func set(_ isActive: Bool) throws(LineFailure)
    func close()
}

/// The general-purpose lines of the board. A line is named as the board's description names it (`GPIO17`), or by chip and
/// number (`gpiochip0:17`, `0:17`); active is high, or low where ` low` follows (`GPIO17 low`).
public protocol DigitalLines: AnyObject {
    /// - Parameter onEdge: called on the loop, after each change, in order. Of a line that changes without end some
    ///   changes are left out, never the last.
    func input(_ line: String, onEdge: @escaping (LineEdge) -> Void) throws(LineFailure) -> any DigitalInput
    func output(_ line: String, isActive: Bool) throws(LineFailure) -> any DigitalOutput
}

extension DigitalLines {
    /// - Parameter onRise: called on the loop, after each change to active.
    public func input(_ line: String, onRise: @escaping () -> Void) throws(LineFailure) -> any DigitalInput {
        try input(line, onEdge: { edge in if edge.isActive { onRise() } })
    }
}
