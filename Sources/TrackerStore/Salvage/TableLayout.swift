import Ports

/// The columns of a table in the order in which its rows store them, to tell whose row one is that was found in a page.
struct TableLayout {
    private struct Column {
        var name: String
        var isInteger: Bool
        var isRequired: Bool
        /// The row's number stands for it; the row stores NULL.
        var isRowID: Bool
        var byDefault: SQLValue
    }

    let table: String
    private let leastColumns: Int
    private let columns: [Column]

    /// - Parameter leastColumns: of the schema that first had the table; rows from before a column was added lack it.
    init(_ table: String, leastColumns: Int, of database: Database) throws(StoreFailure) {
        self.table = table
        self.leastColumns = leastColumns
        columns = try database.rows("PRAGMA table_info(\(table))") { row in
            let isInteger = row.text(2) == "INTEGER"
            return Column(
                name: row.text(1) ?? "", isInteger: isInteger, isRequired: row.bool(3) ?? false,
                isRowID: isInteger && row.int(5) == 1,
                byDefault: row.text(4).flatMap { Int64($0) }.map { SQLValue.int($0) } ?? .null)
        }
    }

    var names: Columns { Columns(columns.map(\.name).joined(separator: ", ")) }

    func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }

    /// The values of all columns; `nil` when this is no row of the table.
    func values(_ cell: RecordCell) -> [SQLValue]? {
        guard (leastColumns...columns.count).contains(cell.values.count) else { return nil }
        var values = cell.values
        values += columns[values.count...].map(\.byDefault)
        for (index, column) in columns.enumerated() {
            switch values[index] {
            case .null:
                if column.isRowID {
                    values[index] = .int(cell.rowID)
                } else if column.isRequired {
                    return nil
                }
            case .int: guard column.isInteger, !column.isRowID else { return nil }
            case .text: guard !column.isInteger else { return nil }
            }
        }
        return values
    }
}
