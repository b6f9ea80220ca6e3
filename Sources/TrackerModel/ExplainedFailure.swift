/// Why something did not work, told to a person: what happened, and what to do about it.
public protocol ExplainedFailure: Error {
    var cause: String { get }
    var remedy: String { get }
}

extension ExplainedFailure {
    /// Both in one line.
    public var message: String { "\(cause); \(remedy)" }
}
