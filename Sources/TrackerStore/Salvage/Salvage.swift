import Ports

/// Reads what can be read out of a damaged database into the fresh one, some pages at a time, so that the tracker goes on
/// meanwhile. Each piece is one transaction with how far it came; doing one twice changes nothing.
///
/// SQLite's own reading ends at a damaged inner page and what is below it; here each leaf is read by itself. The diagnostic
/// layers are left where they are.
final class Salvage {
    /// Read in one transaction: 256 KiB, some 800 points.
    private static let pagesAtOnce = 64
    private static let key = "salvage"
    /// Where ids go on when the old file does not say how far they had come.
    private static let farID: Int64 = 1 << 40

    private let source: DamagedFile?
    private let rows: SalvagedRows
    private(set) var report: SalvageReport
    private var nextPage = 1
    private var hasState = false
    private var expected: Int64?
    /// The longest way of each session, for a total that cannot be read itself.
    private var ways: [String: Int64] = [:]

    /// Goes on where an earlier run stopped with this file.
    init(of file: String, into database: Database) throws(StoreFailure) {
        report = SalvageReport(file: file)
        source = DamagedFile(StoreRecovery.unreadName(file))
        rows = try SalvagedRows(database)
        let saved = try database.rows("SELECT value FROM state WHERE key = '\(Self.key)'") { $0.text(0) ?? "" }.first
        let numbers = (saved ?? "").split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 6 else { return }
        nextPage = Int(clamping: max(1, numbers[0]))
        hasState = numbers[1] == 1
        (report.points, report.others, report.unreadable) = (numbers[2], numbers[3], numbers[4])
        expected = numbers[5] < 0 ? nil : numbers[5]
        isBegun = true
    }

    private var isBegun = false
    var isFinished: Bool { isBegun && nextPage > source?.pageCount ?? 0 }

    /// One piece. The first one brings what the tracker asks for at its start: state, sessions, fences.
    /// - Parameter counts: of the fresh database; goes up by what is found.
    func step(_ database: Database, _ counts: inout RowCounts) throws(StoreFailure) {
        if isBegun { try readPages(database, &counts) } else { try begin(database, &counts) }
        let last = source?.pageCount ?? 0
        report.percent = last == 0 ? 100 : Int64(min(100, (nextPage - 1) * 100 / last))
        report.lostPoints = expected.map { max(0, $0 - report.points) }
        if isFinished {
            if !hasState { try rows.addToOdometer(ways.values.reduce(0) { $0 &+ $1 }) }
            try database.run("DELETE FROM state WHERE key = '\(Self.key)'")
        } else {
            let numbers: [Int64] = [
                Int64(nextPage), hasState ? 1 : 0, report.points, report.others, report.unreadable, expected ?? -1,
            ]
            try database.run(
                "INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)",
                [.text(Self.key), .text(numbers.map { String($0) }.joined(separator: " "))])
        }
    }

    private func begin(_ database: Database, _ counts: inout RowCounts) throws(StoreFailure) {
        isBegun = true
        guard let source else { return }
        let roots = source.roots()
        for table in ["sqlite_sequence", "state", "session", "session_run", "geofence", "geofence_event"] {
            guard let root = roots[table] else { continue }
            for leaf in source.leaves(from: root) {
                for cell in source.rows(of: leaf).rows { try take(cell, &counts, isLate: false) }
            }
        }
        try rows.reserveIDs(after: Self.farID, unlessKnown: true)
    }

    private func readPages(_ database: Database, _ counts: inout RowCounts) throws(StoreFailure) {
        guard let source else { return }
        let end = min(source.pageCount, nextPage + Self.pagesAtOnce - 1)
        for number in nextPage...max(nextPage, end) where !source.freePages.contains(number) {
            let found = source.rows(of: number)
            report.unreadable += Int64(found.broken)
            for cell in found.rows { try take(cell, &counts, isLate: true) }
        }
        nextPage = end + 1
    }

    /// - Parameter isLate: of the reading of all pages, in which what the beginning has brought comes once more.
    private func take(_ cell: RecordCell, _ counts: inout RowCounts, isLate: Bool) throws(StoreFailure) {
        switch try rows.insert(cell, &counts, statesToo: !isLate || !hasState) {
        case .point(let sessionID, let odometerMM):
            report.points += 1
            ways[sessionID] = max(ways[sessionID] ?? 0, odometerMM)
        case .other: report.others += 1
        case .state:
            report.others += 1
            if !isLate { hasState = true }
        case .counts(let old): expected = old.stored
        case .impossible: report.unreadable += 1
        case .nothing: break
        }
    }
}
