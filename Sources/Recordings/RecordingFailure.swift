/// Why a recording cannot be read, in words for people. The caller says it and stops.
public struct RecordingFailure: Error, Equatable, Sendable {
    /// The file, as the caller named it.
    public var name: String
    /// From 1; `nil` when it is about the whole.
    public var line: Int?
    public var message: String

    public init(name: String, line: Int? = nil, message: String) {
        self.name = name
        self.line = line
        self.message = message
    }

    /// `drive.jsonl, line 17: lat is missing`.
    public var text: String { name + (line.map { ", line \($0)" } ?? "") + ": " + message }
}

/// Hands over the next bytes of a recording, in blocks of any size; none at the end.
public typealias RecordingBlocks = () throws(RecordingFailure) -> [UInt8]
