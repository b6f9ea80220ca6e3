import Ports
import TrackerModel
import WireText

/// Reads the arguments of an operation, and collects what is wrong with them, so that all of it is told together.
struct ArgumentReader {
    /// Years 1970 to 9999: further away nothing is meant.
    static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    private let arguments: JSONObject
    private(set) var problems: [String] = []

    init(_ arguments: JSONObject) { self.arguments = arguments }

    mutating func text(_ name: String) -> String? {
        guard let value = arguments[name] else { return nil }
        if value.stringValue == nil { problems.append("\(name) must be a text, not \(value.text)") }
        return value.stringValue
    }

    mutating func flag(_ name: String) -> Bool? {
        guard let value = arguments[name] else { return nil }
        if value.boolValue == nil { problems.append("\(name) must be true or false, not \(value.text)") }
        return value.boolValue
    }

    mutating func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard let value = arguments[name] else { return nil }
        guard let number = value.intValue, range.contains(number) else {
            problems.append("\(name) must be a whole number of \(Self.words(range)), not \(value.text)")
            return nil
        }
        return number
    }

    mutating func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
        guard let value = arguments[name] else { return nil }
        guard let number = value.doubleValue, range.contains(number) else {
            problems.append("\(name) must be a number of \(range.lowerBound)…\(range.upperBound), not \(value.text)")
            return nil
        }
        return number
    }

    mutating func time(_ name: String) -> UTCTime? { integer(name, Self.times).map { UTCTime(millis: $0) } }

    /// `fromMs` and `toMs`.
    mutating func span() -> (from: UTCTime?, to: UTCTime?) {
        let from = time("fromMs")
        let to = time("toMs")
        if let from, let to, from.millis > to.millis { problems.append("toMs is before fromMs") }
        return (from, to)
    }

    mutating func need(_ name: String) {
        if arguments[name] == nil { problems.append("\(name) is missing") }
    }

    /// - Throws: every problem, one a line.
    func check() throws(OperationRefusal) {
        if !problems.isEmpty { throw OperationRefusal(.invalidRequest, problems.joined(separator: "\n")) }
    }

    private static func words(_ range: ClosedRange<Int64>) -> String {
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound)…\(range.upperBound)"
    }
}
