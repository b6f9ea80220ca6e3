import LinuxIO
import Ports
import Recordings
import TrackerRuntime
import WireText

/// `tracker replay FIXTURE`: judges its fixes, and compares with what is expected.
enum FixtureReplay {
    /// The fixture, when the content of the only file named is one.
    static func fixture(_ request: ReplayRequest) throws(RecordingFailure) -> Fixture? {
        guard request.arguments.operands.count == 1, let path = request.arguments.operands.first,
            try RecordingFiles.kind(of: path) == .fixture
        else { return nil }
        return try Fixture(try RecordingFiles.bytes(path), fileName: path)
    }

    /// The configuration of the fixture, unless another is given.
    static func config(_ fixture: Fixture, _ request: ReplayRequest) throws(ConfigFailure) -> TrackerConfig {
        guard request.arguments.value("--config") == nil else { return try request.config() }
        return request.config(over: try ConfigTable.resolve(snapshot: fixture.config))
    }

    /// The lines of the mismatches; nothing when all is as expected.
    static func text(_ judged: JudgedFixture, _ fixture: Fixture) -> String {
        guard !judged.mismatches.isEmpty else { return "" }
        return judged.mismatches.map { $0.text + "\n" }.joined()
            + "\(judged.mismatches.count) of \(fixture.expected.count) expectations are not met\n"
    }
}
