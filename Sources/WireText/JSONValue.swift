/// A JSON value whose objects keep the order of their members, so that the same value is always the same bytes.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// A decimal number as an integer of 10^−places units: `fixed(468032533, places: 7)` is 46.8032533.
    case fixed(Int64, places: Int)
    /// Only read, never produced by the tracker: a number with a fraction or exponent.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// A measured value rounded to `places` decimals; `nil` when it is not finite or does not fit.
    public static func decimal(_ value: Double, places: Int) -> JSONValue? {
        var scaled = value
        for _ in 0..<places { scaled *= 10 }
        scaled.round()
        guard scaled.isFinite, abs(scaled) < 9e15 else { return nil }
        return .fixed(Int64(scaled), places: places)
    }

    public var stringValue: String? { if case .string(let text) = self { text } else { nil } }
    public var boolValue: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    public var objectValue: JSONObject? { if case .object(let object) = self { object } else { nil } }
    public var arrayValue: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
    public var intValue: Int64? { if case .int(let number) = self { number } else { nil } }

    /// Any number, as a double.
    public var doubleValue: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .fixed(let units, let places): (0..<places).reduce(Double(units)) { value, _ in value / 10 }
        default: nil
        }
    }

    /// A member of an object, by dotted path: `value["queue.pending"]`.
    public subscript(path: String) -> JSONValue? {
        var value = self
        for name in path.split(separator: ".") {
            guard case .object(let object) = value, let member = object[String(name)] else { return nil }
            value = member
        }
        return value
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// The members of a JSON object in order; names are unique (a later one replaces the value, not the place).
public struct JSONObject: Equatable, Sendable {
    public private(set) var names: [String] = []
    public private(set) var values: [JSONValue] = []

    public init() {}

    public subscript(name: String) -> JSONValue? {
        get { names.firstIndex(of: name).map { values[$0] } }
        set {
            let index = names.firstIndex(of: name)
            switch (index, newValue) {
            case (let index?, let value?): values[index] = value
            case (nil, let value?):
                names.append(name)
                values.append(value)
            case (let index?, nil):
                names.remove(at: index)
                values.remove(at: index)
            case (nil, nil): break
            }
        }
    }

    /// Takes up the members of another: new ones behind its own, in their order; of the same name the other's value.
    public mutating func merge(_ other: JSONObject) {
        for (name, value) in zip(other.names, other.values) { self[name] = value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (name, value) in elements { self[name] = value }
    }
}
