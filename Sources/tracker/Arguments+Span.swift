import TrackerModel
import WireText

extension Arguments {
    /// `--session`, `--from`, `--to`, `--limit` and `--offset` as arguments of an operation.
    func query() throws(Failure) -> JSONObject {
        var query = JSONObject()
        query["sessionID"] = value("--session").map { .string($0) }
        query["fromMs"] = try moment("--from", isEnd: false)
        query["toMs"] = try moment("--to", isEnd: true)
        query["limit"] = try wholeNumber("--limit")
        query["offset"] = try wholeNumber("--offset")
        return query
    }

    private func wholeNumber(_ option: String) throws(Failure) -> JSONValue? {
        guard let text = value(option) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw Failure(message: "\(option) '\(text)' is no whole number")
        }
        return .int(number)
    }

    /// Milliseconds since 1970, a moment in UTC, or a day: its begin or its end.
    private func moment(_ option: String, isEnd: Bool) throws(Failure) -> JSONValue? {
        guard let text = value(option) else { return nil }
        if let millis = Int64(text) { return .int(millis) }
        guard let time = TimeText.parse(text) else {
            throw Failure(
                message: "\(option) '\(text)' is none of 2026-05-04, 2026-05-04T07:00:00Z and milliseconds since 1970")
        }
        return .int(time.millis + (isEnd && text.utf8.count == 10 ? 86_399_999 : 0))
    }
}
