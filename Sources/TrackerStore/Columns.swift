/// The columns of a kind of row, in the order in which its values are bound and read. What must agree with them (the
/// marks of an insert, where the next column of a query is) is derived from them.
///
/// `(Columns("session_id") + RawFix.columns).insert(into: "raw_fix")` binds the session, then the values of a raw fix.
struct Columns: CustomStringConvertible {
    let names: [String]

    /// - Parameter list: as in SQL, `id, time_ms, flags`.
    init(_ list: String) {
        names = list.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    private init(names: [String]) { self.names = names }

    var count: Int { names.count }
    var description: String { names.joined(separator: ", ") }
    /// The column of a query that comes after these.
    var next: Int32 { Int32(names.count) }

    static func + (first: Columns, second: Columns) -> Columns { Columns(names: first.names + second.names) }

    /// As columns of the table called `alias` in a join.
    func of(_ alias: String) -> Columns { Columns(names: names.map { "\(alias).\($0)" }) }

    /// A statement that binds a value for each column.
    func insert(into table: String, _ verb: String = "INSERT") -> String {
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        return "\(verb) INTO \(table) (\(self)) VALUES (\(marks))"
    }
}
