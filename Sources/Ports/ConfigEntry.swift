/// One scalar of a configuration file: dotted path, text as written, and where.
public struct ConfigEntry: Equatable, Sendable {
    /// `geolocation.intervalMs`.
    public var path: String
    public var text: String
    /// Quoted in the source: then it is text whatever it looks like.
    public var isQuoted: Bool
    /// 1-based.
    public var line: Int

    public init(path: String, text: String, isQuoted: Bool = false, line: Int) {
        self.path = path
        self.text = text
        self.isQuoted = isQuoted
        self.line = line
    }
}

/// What is wrong with a configuration, where.
public struct ConfigProblem: Equatable, Sendable {
    /// 1-based; 0 when it concerns the file as a whole.
    public var line: Int
    public var message: String

    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }
}

/// A configuration that could not be read: every problem found, in file order.
public struct ConfigFailure: Error, Equatable, Sendable {
    public var problems: [ConfigProblem]
    public init(problems: [ConfigProblem]) { self.problems = problems }
}
