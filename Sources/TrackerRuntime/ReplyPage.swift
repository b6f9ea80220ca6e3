import WireText

/// The rows of a list that one reply holds: as many of the first as were asked for, in 1 MiB at most (spec api §1).
struct ReplyPage {
    /// What a reply holds of the shortest rows is not more.
    static let mostRows = 2_500
    /// Of a reply, less its frame and the request's id.
    private static let mostBytes = (1 << 20) - 4_096

    private(set) var rows: [JSONValue]
    /// The offset of the first row that the page does not have; `nil` on the last one.
    private(set) var next: Int64?

    /// - Parameters:
    ///   - found: from the offset on; one more than are wanted where there are more.
    ///   - wanted: rows at most.
    init(_ found: [JSONValue], wanted: Int = mostRows, offset: Int = 0) {
        var bytes = 0
        rows = Array(
            found.prefix(wanted).prefix { row in
                bytes += row.bytes.count + 1
                return bytes <= Self.mostBytes
            })
        if rows.count < found.count { next = Int64(offset + rows.count) }
    }

    /// The reply's result, its rows under that name.
    func result(_ name: String) -> JSONObject {
        var result = JSONObject()
        result[name] = .array(rows)
        result["next"] = next.map { .int($0) }
        return result
    }
}
