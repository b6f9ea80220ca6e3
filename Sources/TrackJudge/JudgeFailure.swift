/// Why a file cannot be read, or a track cannot be judged.
public struct JudgeFailure: Error, Equatable, Sendable {
    /// Line of the file, from 1; `nil` where it is about no single line.
    public var line: Int?
    public var cause: String
    /// What to do about it.
    public var remedy: String

    public init(line: Int? = nil, cause: String, remedy: String) {
        self.line = line
        self.cause = cause
        self.remedy = remedy
    }

    /// `walk.csv:12: the latitude is '91'; give …`
    public func text(file: String) -> String {
        "\(file):\(line.map { "\($0):" } ?? "") \(cause); \(remedy)"
    }
}
