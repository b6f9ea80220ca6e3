import CLinux
import Glibc
import Recordings
import TrackerEngine
import TrackerModel
import WireText

/// What a replay writes on the way: decisions, points, and the words about one decision.
final class ReplayOutputs {
    /// Options that name a file, or - for standard output.
    static let options: Set<String> = ["--decisions", "--csv", "--points"]

    private var outputs: [String: OutputLines] = [:]
    private let explained: Int64?
    private let config: CaptureConfig
    private var count: Int64 = 0
    /// The words about the decision that was asked for, once it has come.
    private(set) var explanation: String?
    /// Standard output is one of the files.
    let isOnStandardOutput: Bool

    /// - Parameter explain: the number of a decision, from 1.
    /// - Throws: when a file cannot be written.
    init(_ arguments: Arguments, explain: Int64?, config: CaptureConfig) throws(Arguments.Failure) {
        explained = explain
        self.config = config
        let named = Self.options.sorted().compactMap { option in arguments.value(option).map { (option, $0) } }
        isOnStandardOutput = named.contains { $0.1 == "-" }
        if named.count(where: { $0.1 == "-" }) > 1 {
            throw .init(message: "only one of --decisions, --csv, --points can be -, standard output")
        }
        for (option, path) in named {
            let descriptor = path == "-" ? STDOUT_FILENO : linux_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            guard descriptor >= 0 else {
                throw .init(message: "cannot write \(path): \(String(cString: strerror(errno)))")
            }
            outputs[option] = OutputLines(descriptor)
        }
        outputs["--csv"]?.add(Decision.csvHeader)
    }

    func take(_ decision: Decision, _ point: TrackPoint?) {
        count += 1
        outputs["--decisions"]?.add(decision.json(number: count).text)
        outputs["--csv"]?.add(decision.csv(number: count))
        if let point { outputs["--points"]?.add(LocationLine(point).json.text) }
        if count == explained {
            let time = decision.time.map { " of \(TimeText.iso($0))" } ?? ""
            explanation = "decision \(count)\(time): \(DecisionExplanation(decision, config).text)"
        }
    }

    /// Writes what is held; before waiting and at the end.
    func flush() { outputs.values.forEach { $0.flush() } }

    /// What went wrong, for people; `nil` when all is well or the reader has simply gone.
    var problem: String? {
        if let explained, explanation == nil {
            return "there is no decision \(explained), the recording gave \(count)"
        }
        guard let code = outputs.values.compactMap(\.failure).first(where: { $0 != EPIPE }) else { return nil }
        return "cannot write: \(String(cString: strerror(code))); give the output more room"
    }
}
