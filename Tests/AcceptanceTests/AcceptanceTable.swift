import Foundation
import Synchronization

/// One line of the acceptance table: what was measured against which limit.
struct AcceptanceRow {
    /// `A-01`, or the number of an edge case or a published figure.
    var id: String
    var scenario: String
    var measured: String
    var limit: String
    var passed: Bool
    /// Why the limit is missed though nothing is broken; the test holds such a row to a bound of its own.
    var miss: String?

    var verdict: String {
        guard passed else { return "FAIL" }
        return miss.map { "misses: \($0)" } ?? "pass"
    }
}

/// Collects the rows of a run. They are appended to the file that `TRACKER_ACCEPTANCE_ROWS` names, tab-separated, one
/// write a row; `scripts/acceptance` sorts them. Without the variable nothing is written.
enum AcceptanceTable {
    private static let gate = Mutex(())

    /// Gives `passed` back, so that the test expects what the table says.
    static func record(_ row: AcceptanceRow) -> Bool {
        guard let path = ProcessInfo.processInfo.environment["TRACKER_ACCEPTANCE_ROWS"] else { return row.passed }
        let fields = [row.id, row.scenario, row.measured, row.limit, row.verdict]
        let line = fields.map { $0.replacingOccurrences(of: "\t", with: " ") }.joined(separator: "\t") + "\n"
        gate.withLock { _ in
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
            }
            guard let file = FileHandle(forWritingAtPath: path) else { return }
            file.seekToEndOfFile()
            file.write(Data(line.utf8))
            file.closeFile()
        }
        return row.passed
    }

    static func record(
        _ id: String, _ scenario: String, _ measured: String, limit: String, passed: Bool, miss: String? = nil
    ) -> Bool {
        record(AcceptanceRow(id: id, scenario: scenario, measured: measured, limit: limit, passed: passed, miss: miss))
    }
}

extension Double {
    /// With one decimal.
    var brief: String { String(format: "%.1f", self) }
}
