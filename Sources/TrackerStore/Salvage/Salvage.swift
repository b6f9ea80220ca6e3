import Ports

/// Reads what can be read out of a damaged database into the fresh one, some pages at a time, so that the tracker goes on
/// meanwhile. Each piece is one transaction with how far it came; doing one twice changes nothing.
///
/// SQLite's own reading ends at a damaged inner page and what is below it; here each leaf is read by itself. The diagnostic
/// layers are left where they are.
final class Salvage {
    /// Read in one transaction: 256 KiB, some 800 points.
    private static let pagesAtOnce = 64

    private let file: String
    private let source: DamagedFile?
    private let rows: SalvagedRows
    private var progress: SalvageProgress
    private var isBegun: Bool

    /// Goes on where an earlier run stopped with this file.
    init(of file: String, into database: Database) throws(StoreFailure) {
        self.file = file
        source = DamagedFile(StoreRecovery.unreadName(file))
        rows = try SalvagedRows(database)
        let sql = "SELECT value FROM state WHERE key = '\(SalvageProgress.key)'"
        let saved = try database.rows(sql) { $0.text(0) ?? "" }.first
        let begun = saved.flatMap { SalvageProgress(text: $0) }
        isBegun = begun != nil
        progress = begun ?? SalvageProgress(hasOdometer: saved == SalvageProgress.done)
    }

    private var lastPage: Int { source?.pageCount ?? 0 }
    /// Whether sent points are what is read for now.
    var isSecondReading: Bool { progress.isSecond }
    /// What is still to be read, at most; so much room it may take.
    var unreadBytes: Int64 { Int64(max(0, lastPage - progress.nextPage + 1)) * Int64(source?.pageSize ?? 0) }
    var isFinished: Bool { isBegun && progress.nextPage > lastPage }

    var report: SalvageReport {
        var report = SalvageReport(file: file)
        (report.points, report.others, report.unreadable) = (progress.points, progress.others, progress.unreadable)
        report.leftPoints = progress.left
        report.lostPoints = progress.expected.map { max(0, $0 - progress.points - progress.left) }
        if isBegun { report.percent = lastPage == 0 ? 100 : Int64(min(100, (progress.nextPage - 1) * 100 / lastPage)) }
        return report
    }

    /// One piece. The first one brings what the tracker asks for at its start: state, sessions, fences. One that fails
    /// leaves everything as it was.
    /// - Parameters:
    ///   - change: runs its argument as one transaction with the counts of the fresh database, which go up by what is
    ///     found.
    ///   - policy: what is done with rows that the tracker may have gone on without.
    func step(
        _ policy: SalvagedRows.Policy,
        _ change: ((Database, inout RowCounts) throws(StoreFailure) -> Void) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let before = (progress, isBegun)
        do throws(StoreFailure) {
            try change { (database, counts) throws(StoreFailure) in
                try isBegun ? readPages(policy, &counts) : begin(policy, &counts)
                isBegun = true
                if isFinished, !progress.hasOdometer { try rows.addWays(upTo: progress.lastOldPoint) }
                try database.run(
                    "INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)",
                    [.text(SalvageProgress.key), .text(isFinished ? SalvageProgress.done : progress.text)])
            }
        } catch {
            (progress, isBegun) = before
            throw error
        }
    }

    private func begin(_ policy: SalvagedRows.Policy, _ counts: inout RowCounts) throws(StoreFailure) {
        guard let source else { return }
        let roots = source.roots()
        var hasState = false
        for table in ["sqlite_sequence", "state", "session", "session_run", "geofence", "geofence_event"] {
            guard let root = roots[table] else { continue }
            for leaf in source.leaves(from: root) {
                for cell in source.rows(of: leaf).rows {
                    if [.state, .odometer].contains(try take(cell, policy, &counts)) { hasState = true }
                }
            }
        }
        progress.hasState = hasState
        progress.lastOldPoint = try rows.reserveIDs()
    }

    private func readPages(_ policy: SalvagedRows.Policy, _ counts: inout RowCounts) throws(StoreFailure) {
        guard let source else { return }
        let end = min(lastPage, progress.nextPage + Self.pagesAtOnce - 1)
        for number in progress.nextPage...max(progress.nextPage, end) where !source.freePages.contains(number) {
            let found = source.rows(of: number)
            if !progress.isSecond { progress.unreadable += Int64(found.broken) }
            for cell in found.rows { try take(cell, policy, &counts) }
        }
        progress.nextPage = end + 1
        if end == lastPage, progress.left > 0, !progress.isSecond, policy.returnsForSent {
            (progress.isSecond, progress.nextPage, progress.left) = (true, 1, 0)
        }
    }

    @discardableResult
    private func take(
        _ cell: RecordCell, _ policy: SalvagedRows.Policy, _ counts: inout RowCounts
    ) throws(StoreFailure) -> SalvagedRows.Outcome {
        var policy = policy
        policy.takesState = !progress.hasState
        policy.takesOdometer = !progress.hasOdometer
        policy.takesOnlySent = progress.isSecond
        let outcome = try rows.insert(cell, policy, &counts)
        switch outcome {
        case .point: progress.points += 1
        case .left: progress.left += 1
        case .deleted: progress.expected = progress.expected.map { $0 - 1 }
        case .other, .state: progress.others += 1
        case .odometer:
            progress.others += 1
            progress.hasOdometer = true
        case .counts(let old): progress.expected = old.stored
        case .impossible: if !progress.isSecond { progress.unreadable += 1 }
        case .nothing: break
        }
        return outcome
    }
}
