/// How a command ended.
public enum ATReply: Equatable, Sendable {
    /// `OK`, with the line that answers the query, its prefix and the blanks around it taken off.
    case ok(String?)
    /// `ERROR`, or `+CME ERROR: <number>`.
    case refused(number: Int?)
    /// No final result in time.
    case silence
}
