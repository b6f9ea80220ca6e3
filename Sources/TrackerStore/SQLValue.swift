/// What is bound to a statement: the store keeps integers in stated units and text, nothing else.
enum SQLValue {
    case null
    case int(Int64)
    case text(String)

    static func int(_ value: Int64?) -> SQLValue { value.map { .int($0) } ?? .null }
    static func int(_ value: Int?) -> SQLValue { value.map { .int(Int64($0)) } ?? .null }
    static func int(_ value: Int32) -> SQLValue { .int(Int64(value)) }
    static func int(_ value: Int32?) -> SQLValue { value.map { .int(Int64($0)) } ?? .null }
    static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
    static func bool(_ value: Bool) -> SQLValue { .int(value ? 1 : 0) }
    static func bool(_ value: Bool?) -> SQLValue { value.map { .int($0 ? 1 : 0) } ?? .null }
}
