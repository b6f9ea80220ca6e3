public import Ports
public import TrackerModel

/// What upkeep remembers between its pieces.
struct UpkeepState {
    /// Days since 1970 of the last retention that came to its end, and how far the present one is.
    var prunedDay: Int64?
    var prunedTo: Int64 = 0
    var isLow = false
    /// A commit failed for want of room.
    var isFull = false
    /// Behind the last row that was looked at; `nil` when the look is over.
    var lookedTo: (id: Int64, uuid: String)? = (0, "")
}

extension SQLiteStore {
    /// Rows of one piece of upkeep: some milliseconds.
    static let pieceRows: Int64 = 1_000
    private static let dayMillis: Int64 = 86_400_000
    /// Empty pages that a database on a low disk keeps: room for some hundred points, which come in between two pieces.
    private static let reservePages: Int64 = 64
    /// The newest queued points that stay while the disk has any room at all.
    private static let queuedFloor: Int64 = 1_000
    /// Pieces of a salvage that opening waits for: the state, and 448 pages, which is all of a database of some thousand
    /// points.
    private static let piecesAtOpening = 8

    public func maintain(at time: UTCTime?) -> StoreUpkeep {
        var isUnfinished = false
        do throws(StoreFailure) {
            // On a full disk what is left of a wipe needs the room that is made next.
            _ = try? finishWipe()
            let database = try connected()
            if try makeRoom(database) { isUnfinished = true }
            // A salvage that has no room now must not keep the rest from being done.
            if salvaging != nil { if (try? continueSalvage()) == true { isUnfinished = true } }
            if let time, salvaging == nil, try prune(at: time) { isUnfinished = true }
            try look(database)
        } catch {}  // What could not be done is due again; who writes hears why.
        defer { notices = [] }
        return StoreUpkeep(notices: notices, isUnfinished: isUnfinished)
    }

    // MARK: - Salvage

    public var salvage: SalvageReport? { salvaging?.report }

    func startSalvage() {
        guard !isInMemory, let file = StoreRecovery.unreadFile(of: name) else { return }
        salvaging = try? Salvage(of: file, into: try connected())
        for _ in 0..<Self.piecesAtOpening where salvaging != nil {
            guard (try? continueSalvage()) != nil else { return }
        }
    }

    /// Returns whether there is more.
    private func continueSalvage() throws(StoreFailure) -> Bool {
        let database = try connected()
        guard let salvaging else { return false }
        let usage = usage()
        let hasRoom = !upkeep.isFull && usage?.isLow != true
        // Where not all may fit, what was sent waits until the rest is there.
        let fits = usage?.isLow(with: salvaging.unreadBytes) != true
        let policy = SalvagedRows.Policy(
            keepsOpen: !wasOpened, wipedTo: try Self.lastWiped(database),
            takesSent: hasRoom && (fits || salvaging.isSecondReading), returnsForSent: hasRoom)
        try salvaging.step(policy) { body throws(StoreFailure) in try change(body) }
        // The old file may say that a wipe of it was not finished.
        wipedTo = try Self.unfinishedWipe(database)
        guard salvaging.isFinished else { return true }
        try StoreRecovery.finished(salvaging.report.file, of: name)
        notices.append(.salvaged(salvaging.report))
        self.salvaging = nil
        startSalvage()
        return salvaging.isFinished && self.salvaging != nil
    }

    // MARK: - Room

    /// The file never gets smaller: what is deleted leaves empty pages, which new rows fill before the file grows. So on a
    /// low disk no more is deleted than comes in. Returns whether there is more to delete.
    private func makeRoom(_ database: Database) throws(StoreFailure) -> Bool {
        let usage = usage()
        guard upkeep.isFull || usage?.isLow == true else {
            if upkeep.isLow { notices.append(.roomAgain) }
            upkeep.isLow = false
            return false
        }
        if !upkeep.isLow { notices.append(.low(freeBytes: usage?.freeBytes ?? 0)) }
        upkeep.isLow = true
        if StoreRecovery.removeOldest(of: name) { return true }
        if diagnostics?.remove() == true { return true }
        let empty = try database.integer("PRAGMA freelist_count") ?? 0
        guard empty < Self.reservePages else { return false }
        // A log that begins anew is written over, and needs no room.
        _ = try? database.rows("PRAGMA wal_checkpoint(RESTART)") { _ in }
        return try shed(database) > 0
    }

    /// Deletes the oldest rows of the first kind that there are any of (spec api §5, `storageFull`); returns how many.
    private func shed(_ database: Database) throws(StoreFailure) -> Int64 {
        for table in ["raw_fix", "raw_point", "decision"] where diagnostics == nil {
            let oldest = "SELECT id FROM \(table) ORDER BY id LIMIT ?"
            let count = try database.run("DELETE FROM \(table) WHERE id IN (\(oldest))", [.int(Self.pieceRows)])
            if count > 0 { return count }
        }
        let oldest = "SELECT id FROM point WHERE sync_state = 1 ORDER BY sync_time_ms, id LIMIT ?"
        let sent = try database.rows(oldest, [.int(Self.pieceRows)]) { $0.int(0) ?? 0 }
        if !sent.isEmpty {
            try deletePoints(sent)
            return Int64(sent.count)
        }
        let floor = upkeep.isFull ? 0 : Self.queuedFloor
        let shed = try shedQueue(keeping: max(floor, counts.pending - Self.pieceRows))
        if shed > 0 { notices.append(.shed(shed)) }
        return shed
    }

    // MARK: - Retention

    /// Once a day, a piece at a time from the oldest row on: points that were sent, of sessions that have ended. Returns whether there is more.
    private func prune(at time: UTCTime) throws(StoreFailure) -> Bool {
        let day = time.millis / Self.dayMillis
        guard upkeep.prunedDay != day else { return false }
        let oldest = retention.days == 0 ? Int64.min : time.millis - retention.days * Self.dayMillis
        var excess = retention.most == 0 ? 0 : max(0, counts.stored - retention.most)
        let sql = """
            SELECT id, time_ms, sync_state = 1 AND session_id NOT IN
                (SELECT id FROM session WHERE ended_at_ms IS NULL)
            FROM point WHERE id > ? ORDER BY id LIMIT ?
            """
        let rows = try connected().rows(sql, [.int(upkeep.prunedTo), .int(Self.pieceRows)]) { row in
            (id: row.int(0) ?? 0, time: row.int(1) ?? 0, mayGo: row.bool(2) ?? false)
        }
        var goes: [Int64] = []
        for row in rows where row.mayGo && (row.time < oldest || excess > 0) {
            goes.append(row.id)
            excess -= 1
        }
        try deletePoints(goes)
        upkeep.prunedTo = rows.last?.id ?? upkeep.prunedTo
        if rows.count == Int(Self.pieceRows), excess > 0 || rows.contains(where: { $0.time < oldest }) { return true }
        upkeep.prunedDay = day
        upkeep.prunedTo = 0
        try dropOldDecisions(at: time)
        let emptied =
            "ended_at_ms < ? AND NOT EXISTS (SELECT 1 FROM point WHERE session_id = session.id)"
        let database = try connected()
        try database.transaction { () throws(StoreFailure) in
            try database.run(
                "DELETE FROM session_run WHERE session_id IN (SELECT id FROM session WHERE \(emptied))", [.int(oldest)])
            try database.run("DELETE FROM session WHERE \(emptied)", [.int(oldest)])
        }
        return false
    }

    // MARK: - A look for damage

    /// Reads a piece of the points and of the index of their uuids, once through after each opening: damage is then met,
    /// and what is legible saved, before the rows are needed.
    private func look(_ database: Database) throws(StoreFailure) {
        guard let from = upkeep.lookedTo else { return }
        let rows = "SELECT id, is_significant_stop FROM point WHERE id > ? ORDER BY id LIMIT ?"
        let id = try database.integer("SELECT max(id) FROM (\(rows))", [.int(from.id), .int(Self.pieceRows)])
        let uuids = "SELECT uuid FROM point WHERE uuid > ? ORDER BY uuid LIMIT ?"
        let uuid =
            try database.rows(
                "SELECT max(uuid) FROM (\(uuids))", [.text(from.uuid), .int(Self.pieceRows)]
            ) { $0.text(0) }.first ?? nil
        upkeep.lookedTo = id == nil && uuid == nil ? nil : (id ?? .max, uuid ?? from.uuid)
    }
}
