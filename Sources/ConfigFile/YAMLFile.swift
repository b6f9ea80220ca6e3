import Glibc
public import Ports

/// A configuration file in the part of YAML that a person can read at a glance: nested maps of scalars.
///
/// Lists, anchors, aliases, tags and further documents are refused with their line: none has a meaning here, and each
/// is more often a slip than an intention.
public enum YAMLFile {
    /// A configuration has a few hundred lines; more than this is the wrong file.
    static let largestBytes = 256 << 10

    /// The scalars of the file, in file order; an empty file has none.
    ///
    /// Throws every problem that could be found. A syntax error ends the search, so it is the last one.
    public static func entries(of bytes: [UInt8]) throws(ConfigFailure) -> [ConfigEntry] {
        guard bytes.count <= largestBytes else {
            throw ConfigFailure("The file is larger than 256 KiB: this is hardly a configuration; give the right file.")
        }
        if let line = firstLineThatIsNotUTF8(bytes) {
            throw ConfigFailure("Not UTF-8: save the file in this encoding.", line: line)
        }
        var reader = YAMLReader()
        YAMLEvents.forEach(in: bytes) { reader.take($0) }
        guard reader.problems.isEmpty else { throw ConfigFailure(problems: reader.problems) }
        return reader.entries
    }

    /// Reads the file and then its entries.
    public static func read(path: String) throws(ConfigFailure) -> [ConfigEntry] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path, errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        // One byte beyond the limit is enough to know that it is too large.
        while bytes.count <= largestBytes {
            let count = Glibc.read(file, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, errno) }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return try entries(of: bytes)
    }

    private static func unreadable(_ path: String, _ systemError: Int32) -> ConfigFailure {
        let words = String(cString: strerror(systemError))
        return switch systemError {
        case ENOENT: ConfigFailure("\(path): \(words): create the file or give the right path.")
        case EACCES: ConfigFailure("\(path): \(words): let the tracker's user read the file.")
        case EISDIR: ConfigFailure("\(path): \(words): give the path of the file in it.")
        default: ConfigFailure("\(path): \(words): check the path and the storage.")
        }
    }

    /// A line end is never part of a longer UTF-8 sequence, so lines can be judged one by one.
    private static func firstLineThatIsNotUTF8(_ bytes: [UInt8]) -> Int? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
    }
}

extension ConfigFailure {
    /// One problem; line 0 is the file as a whole.
    fileprivate init(_ message: String, line: Int = 0) {
        self.init(problems: [ConfigProblem(line: line, message: message)])
    }
}
