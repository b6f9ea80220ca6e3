import Glibc
import TrackerRuntime
import WireText

/// The files of a recording under way. Each line is written before the next is looked at.
struct RecordFiles {
    private let files: [RecordFile]
    private let fixes: OutputLines
    private let samples: OutputLines?
    private let raw: OutputLines?
    private let index: OutputLines?
    private var hasBegun = false
    /// The error of emptying an older file.
    private var failure: Int32?
    private var fixCount = 0
    private var sampleCount = 0
    private var byteCount = 0
    /// Events that the daemon had to drop because this program was slow.
    private var dropped: Int64 = 0

    /// - Throws: when a file is there already or cannot be written, or two names are of one file. No file is left then.
    init(_ arguments: Arguments) throws(Arguments.Failure) {
        let isForced = arguments.has("--force")
        let rawPath = arguments.value("--raw")
        let paths = [arguments.value("--out"), arguments.value("--motion"), rawPath, rawPath.map { $0 + ".idx" }]
        var files: [RecordFile?] = []
        do throws(Arguments.Failure) {
            for path in paths {
                let file = try path.map { path throws(Arguments.Failure) in
                    try Self.open(path, isForced, besides: files)
                }
                files.append(file)
            }
        } catch {
            files.forEach { $0?.discard() }
            throw error
        }
        guard let fixes = files[0] else { throw .init(message: "--out is missing") }
        self.fixes = fixes.lines
        self.files = files.compactMap { $0 }
        samples = files[1]?.lines
        raw = files[2]?.lines
        index = files[3]?.lines
    }

    private static func open(
        _ path: String, _ isForced: Bool, besides others: [RecordFile?]
    ) throws(Arguments.Failure) -> RecordFile {
        let twice = Arguments.Failure(message: "\(path) is named twice; give each part of the recording its own file")
        if others.contains(where: { $0?.path == path }) { throw twice }
        let file = try RecordFile(path, isForced: isForced)
        // By another name: a link, or a path that leads there too. It is not new then, so nothing is left of it.
        if others.contains(where: { $0?.isSame(as: file) ?? false }) { throw twice }
        return file
    }

    var topics: [String] {
        ["fixes"] + (samples == nil ? [] : ["motion"]) + (raw == nil ? [] : ["gnss.raw"])
    }

    mutating func take(_ event: JSONValue) {
        guard let data = event["data"] else { return }
        begin()
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

    /// Only now that there is a daemon, and something of it, older files lose what they hold.
    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        failure = files.lazy.compactMap { $0.empty() }.first
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

    /// Nothing came at all: no empty files are left behind, and older ones stay as they were.
    func discard() { files.forEach { $0.discard() } }

    var isEmpty: Bool { !hasBegun }

    /// What went wrong with writing.
    var problem: String? {
        guard let code = failure ?? files.compactMap(\.lines.failure).first else { return nil }
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
