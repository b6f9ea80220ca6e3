import Ports
import Recordings
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

/// Every journey of the corpus through the whole runtime, compared with what it made of it before.
@Suite("Corpus")
struct GoldenTests {
    private struct Outcome: Equatable {
        var decisions: String
        var report: String
    }

    private func replay(_ plan: CorpusPlan, _ input: CorpusInput) throws -> Outcome {
        var settings = Replay.Settings(log: RecordingLog(), digests: FakeDigests(), calendar: FakeCalendar())
        settings.recordedOn = input.recordedOn
        let heard = Heard()
        settings.onDecision = { decision, _ in heard.take(decision) }
        let config = try ConfigTable.resolve(plan.config).config
        var report = try Replay.run(try input.recording(), name: "corpus", config: config, settings).json
        // Of the energy only what the recording decides: the host's share moves with every timer of the runtime.
        let energy = report["energy"]
        report["energy"] = [
            "receiverMj": energy?["receiverMj"] ?? 0, "accelerometerMj": energy?["accelerometerMj"] ?? 0,
        ]
        let lines = zip(report.names, report.values).map { "\($0) \($1.text)\n" }.joined()
        return Outcome(
            decisions: heard.csv, report: lines + CorpusMotion(plan.motion, seed: plan.seed).findings)
    }

    private final class Heard {
        var csv = Decision.csvHeader + "\n"
        private var count: Int64 = 0

        func take(_ decision: Decision) {
            count += 1
            csv += decision.csv(number: count) + "\n"
        }
    }

    @Test("Decisions are those that are committed, twice and by way of files (A-12)", arguments: CorpusFolder.names)
    func golden(name: String) throws {
        let plan = try CorpusPlan(text: try CorpusFolder.text("\(name)/journey.txt"))
        let input = try CorpusInput(plan, folder: name)
        let found = try replay(plan, input)
        #expect(try replay(plan, input) == found, "\(name): the second replay differs from the first")
        #expect(try replay(plan, try input.rewritten()) == found, "\(name): lines written again are judged otherwise")
        if CorpusFolder.isWriting {
            try CorpusFolder.write(found.decisions, to: "\(name)/decisions.csv")
            try CorpusFolder.write(found.report, to: "\(name)/report.txt")
            return
        }
        try compare(found.decisions, "\(name)/decisions.csv")
        try compare(found.report, "\(name)/report.txt")
    }

    @Test("No journey of the corpus is lost")
    func complete() { #expect(CorpusFolder.names.count >= 37) }

    private func compare(_ found: String, _ path: String) throws {
        let wanted = try CorpusFolder.text(path)
        guard found != wanted else { return }
        let pairs = (Self.lines(wanted), Self.lines(found))
        let line = zip(pairs.0, pairs.1).prefix { $0 == $1 }.count
        func text(_ lines: [Substring]) -> Substring { line < lines.count ? lines[line] : "(no such line)" }
        Issue.record(
            """
            Tests/Corpus/\(path), line \(line + 1) of \(pairs.0.count):
              committed \(text(pairs.0))
              found     \(text(pairs.1))
            When the change is meant, run scripts/golden and say in the commit why it moved.
            """)
    }

    private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
}
