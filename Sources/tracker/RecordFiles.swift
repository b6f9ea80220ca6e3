import CLinux
import Glibc
import TrackerRuntime
import WireText

/// The files of a recording under way. Each line is written before the next is looked at.
struct RecordFiles {
    private let paths: [String]
    private let fixes: OutputLines
    private let samples: OutputLines?
    private let raw: OutputLines?
    private let index: OutputLines?
    private var fixCount = 0
    private var sampleCount = 0
    private var byteCount = 0
    /// Events that the daemon had to drop because this program was slow.
    private var dropped: Int64 = 0

    /// - Throws: when a file is there already, or cannot be written.
    init(_ arguments: Arguments) throws(Arguments.Failure) {
        let isForced = arguments.has("--force")
        let rawPath = arguments.value("--raw")
        let paths = [arguments.value("--out"), arguments.value("--motion"), rawPath, rawPath.map { $0 + ".idx" }]
        var files: [OutputLines?] = []
        if !isForced, let path = paths.compactMap({ $0 }).first(where: { access($0, F_OK) == 0 }) {
            throw .init(message: "\(path) is there already; name another file, or give --force")
        }
        for path in paths {
            files.append(try path.map { path throws(Arguments.Failure) in try Self.open(path, isForced) })
        }
        guard let fixes = files[0] else { throw .init(message: "--out is missing") }
        self.fixes = fixes
        self.paths = paths.compactMap { $0 }
        samples = files[1]
        raw = files[2]
        index = files[3]
    }

    private static func open(_ path: String, _ isForced: Bool) throws(Arguments.Failure) -> OutputLines {
        // Exclusive: whoever made the file meanwhile keeps it.
        let descriptor = linux_open(path, O_WRONLY | O_CREAT | (isForced ? O_TRUNC : O_EXCL), 0o644)
        guard descriptor >= 0 else {
            throw .init(message: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        return OutputLines(descriptor)
    }

    var topics: [String] {
        ["fixes"] + (samples == nil ? [] : ["motion"]) + (raw == nil ? [] : ["gnss.raw"])
    }

    mutating func take(_ event: JSONValue) {
        guard let data = event["data"] else { return }
        switch event["event"]?.stringValue {
        case "fixes":
            fixCount += 1
            fixes.add(data.text)
            fixes.flush()
        case "motion":
            for sample in data.arrayValue ?? [] {
                sampleCount += 1
                samples?.add(sample.text)
            }
            samples?.flush()
        case "gnss.raw": takeBytes(data)
        case "dropped": dropped += data["count"]?.intValue ?? 0
        default: break
        }
    }

    /// The index first: a line about bytes that are not there counts for nothing.
    private mutating func takeBytes(_ data: JSONValue) {
        guard let bytes = data["hex"]?.stringValue.flatMap(Hex.bytes), let time = data["u"] else { return }
        let nanos = Int64(((time.doubleValue ?? 0) * 1e9).rounded())
        index?.add("\(byteCount) \(nanos)")
        index?.flush()
        raw?.add(bytes: bytes)
        raw?.flush()
        byteCount += bytes.count
    }

    /// Nothing came at all: the empty files are not left behind.
    func discard() { paths.forEach { unlink($0) } }

    var isEmpty: Bool { fixCount == 0 && sampleCount == 0 && byteCount == 0 }

    /// What went wrong with writing.
    var problem: String? {
        guard let code = [fixes, samples, raw, index].compactMap({ $0?.failure }).first else { return nil }
        return "cannot write: \(String(cString: strerror(code))); give the recording more room"
    }

    func summary(millis: Int64) -> String {
        var parts = ["\(fixCount) fixes"]
        if samples != nil { parts.append("\(sampleCount) samples") }
        if raw != nil { parts.append("\(byteCount) bytes") }
        let lost = dropped > 0 ? "; \(dropped) events were lost because the disk or this machine is too slow" : ""
        return "recorded \(parts.joined(separator: ", ")) in \(StatusPage.duration(Double(millis) / 1_000))\(lost)"
    }
}
