import Ports

/// How many points there are of each kind. They are a row of the state, written with what changes them, so that opening
/// a large database counts nothing.
struct RowCounts: Equatable {
    var stored: Int64 = 0
    var pending: Int64 = 0
    var quarantined: Int64 = 0

    static let key = "counts"

    init() {}

    init?(text: String) {
        let numbers = text.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        (stored, pending, quarantined) = (numbers[0], numbers[1], numbers[2])
    }

    var text: String { "\(stored) \(pending) \(quarantined)" }

    /// A row that is not there is damage: the schema put it there.
    static func read(_ database: Database) throws(StoreFailure) -> RowCounts {
        let sql = "SELECT value FROM state WHERE key = '\(key)'"
        guard let counts = try database.rows(sql, [], { RowCounts(text: $0.text(0) ?? "") }).first ?? nil else {
            throw .damaged("the row of the counts is not there")
        }
        return counts
    }

    func write(_ database: Database) throws(StoreFailure) {
        try database.run("UPDATE state SET value = ? WHERE key = '\(Self.key)'", [.text(text)])
    }

    /// For the schema that has the row for the first time.
    static let migration = """
        INSERT INTO state (key, value)
        SELECT '\(key)', count(*) || ' ' || count(*) FILTER (WHERE sync_state = 0) || ' '
            || count(*) FILTER (WHERE sync_state = 2) FROM point
        """
}
