import CSQLite

/// The current row of a running statement. Valid only inside the closure it is handed to.
///
/// Rows come from a file that may have been written by another version: a value out of range is clamped and an
/// unknown word is left to the caller to fold, so that reading never stops the tracker.
struct Row {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// The column, counted from 0; `nil` for NULL.
    func int(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    func int32(_ column: Int32) -> Int32? { int(column).map { Int32(clamping: $0) } }

    func bool(_ column: Int32) -> Bool? { int(column).map { $0 != 0 } }

    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
