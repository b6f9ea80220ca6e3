/// Why a line cannot be used.
public struct LineFailure: Error, Equatable, Sendable {
    public var cause: String
    public var remedy: String

    public init(cause: String, remedy: String) {
        self.cause = cause
        self.remedy = remedy
    }
}

/// A line that is listened to until it is closed.
public protocol DigitalInput: AnyObject {
    var name: String { get }
    var isActive: Bool { get }
    func close()
}

/// A line that is driven until it is closed.
public protocol DigitalOutput: AnyObject {
    var name: String { get }
    func set(_ isActive: Bool) throws(LineFailure)
    func close()
}

/// The general-purpose lines of the board. A line is named as the board's description names it (`GPIO17`), or by chip and
/// number (`gpiochip0:17`); active is high.
public protocol DigitalLines: AnyObject {
    /// - Parameter onRise: called on the loop, after each change to active.
    func input(_ line: String, onRise: @escaping () -> Void) throws(LineFailure) -> any DigitalInput
    func output(_ line: String, isActive: Bool) throws(LineFailure) -> any DigitalOutput
}
