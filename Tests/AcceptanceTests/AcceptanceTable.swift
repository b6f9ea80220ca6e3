import Foundation
import Synchronization
import Testing

/// What a row is held to that misses what was promised, so that it cannot get worse unnoticed.
struct LesserLimit {
    var limit: String
    var isMet: Bool
    var reason: String?

    init(_ limit: String, _ isMet: Bool, because reason: String? = nil) {
        (self.limit, self.isMet, self.reason) = (limit, isMet, reason)
    }
}

/// One line of the acceptance table: what was measured against what was promised.
struct AcceptanceRow {
    /// `A-01`, or the number of an edge case or a published figure.
    var id: String
    var scenario: String
    var measured: String
    /// The promise.
    var limit: String
    var isMet: Bool
    var lesser: LesserLimit?

    /// The promise is kept, or the lesser limit of a row that misses it.
    var passed: Bool { isMet || lesser?.isMet == true }

    /// A promise that is missed is never `pass`.
    var verdict: String {
        if isMet { return "pass" }
        guard let lesser, lesser.isMet else { return "FAIL" }
        return "misses \(limit), held to \(lesser.limit)" + (lesser.reason.map { ": \($0)" } ?? "")
    }
}

/// Collects the rows of a run. They are appended to the file that `TRACKER_ACCEPTANCE_ROWS` names, tab-separated, one
/// write a row; `scripts/acceptance` sorts them. Without the variable nothing is written.
enum AcceptanceTable {
    private static let gate = Mutex(())

    /// Whether the row passed, so that the test expects what the table says.
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
        _ id: String, _ scenario: String, _ measured: String, limit: String, passed: Bool,
        orHeldTo lesser: LesserLimit? = nil
    ) -> Bool {
        record(
            AcceptanceRow(
                id: id, scenario: scenario, measured: measured, limit: limit, isMet: passed, lesser: lesser))
    }

    /// Records the row and expects that it passes.
    static func expect(
        _ id: String, _ scenario: String, _ measured: String, limit: String, passed: Bool,
        orHeldTo lesser: LesserLimit? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let ok = record(id, scenario, measured, limit: limit, passed: passed, orHeldTo: lesser)
        #expect(
            ok, "\(scenario): \(measured), wanted \(limit)\(lesser.map { " or \($0.limit)" } ?? "")",
            sourceLocation: sourceLocation)
    }
}

/// A row of what was published of the reference, or promised instead.
func expectPublished(
    _ scenario: String, _ measured: String, _ limit: String, _ passed: Bool, orHeldTo lesser: LesserLimit? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    AcceptanceTable.expect(
        "A-13", scenario, measured, limit: limit, passed: passed, orHeldTo: lesser, sourceLocation: sourceLocation)
}

extension Double {
    /// With one decimal.
    var brief: String { String(format: "%.1f", self) }
}
