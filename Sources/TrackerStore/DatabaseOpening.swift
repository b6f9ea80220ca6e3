import Ports

/// Opening the file, and finding out first whether it is sound.
enum DatabaseOpening {
    /// A page and its header in the log.
    static let frameBytes: Int64 = 4_096 + 24
    /// Up to this size the whole database is checked at opening. A larger one would hold up the start; there, damage is met
    /// by the statement that comes upon it, or by the look that upkeep takes at a piece at a time.
    private static let largestChecked: Int64 = 8_388_608

    static func open(_ path: String) throws(StoreFailure) -> Database {
        let size = path == ":memory:" ? 0 : try look(path)
        let database = try Database(path: path)
        // A reader of another process holds its lock for milliseconds; 5 s is far beyond that.
        try database.execute("PRAGMA busy_timeout = 5000")
        try Schema.check(database)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA cell_size_check = ON;
            PRAGMA journal_size_limit = 8388608;
            """)
        try Schema.migrate(database)
        guard try Schema.isComplete(database) else { throw .damaged("the tables are not those that were made") }
        if size > 0, size <= largestChecked {
            let verdict = try database.rows("PRAGMA integrity_check(1)") { $0.text(0) ?? "" }
            guard verdict == ["ok"] else { throw .damaged("integrity_check: \(verdict.first ?? "no answer")") }
        }
        return database
    }

    /// What SQLite would not notice, or take for something else than damage; returns the size of file and log.
    private static func look(_ path: String) throws(StoreFailure) -> Int64 {
        guard let file = RawFile(path) else { return 0 }
        let log = RawFile(path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
        if let log, LogPages(log)?.isDamaged == true { throw .damaged("a frame in the middle of the log") }
        guard let header = file.bytes(at: 0, count: 100) else { return log?.size ?? 0 }
        // One that is not ours is left to the check of its owner.
        guard header.word(at: 68) == UInt32(Schema.applicationID) else { return file.size + (log?.size ?? 0) }
        // sqlite.org/fileformat2.html §1.3: fields that have one value in every file of this program.
        let fixed: [(Int, UInt32)] = [(52, 0), (56, 1), (64, 0), (72, 0), (76, 0), (80, 0), (84, 0), (88, 0)]
        let isAsWritten =
            header.starts(with: DamagedFile.magic) && header.half(at: 16) == 4_096 && (1...2).contains(header[18])
            && (1...2).contains(header[19]) && header[20...23].elementsEqual([0, 64, 32, 32])
            && header.word(at: 44) == 4 && fixed.allSatisfy { header.word(at: $0) == $1 }
        guard isAsWritten else { throw .damaged("the header of the file") }
        if log == nil, Int64(header.word(at: 28)) * 4_096 != file.size { throw .damaged("the file was cut short") }
        return file.size + (log?.size ?? 0)
    }
}

extension StoreFailure {
    /// Damage that SQLite has not told itself.
    static func damaged(_ what: String) -> StoreFailure {
        StoreFailure(code: .corrupt, cause: "The database is damaged: \(what).", remedy: remedy(.corrupt))
    }
}
