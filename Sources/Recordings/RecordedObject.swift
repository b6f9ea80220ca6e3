import TrackerModel
import WireText

/// One line of a recording and where it stands, for reading its values with errors that name the place.
struct RecordedObject {
    var name: String
    /// From 1; `nil` where `name` says the place.
    var line: Int?
    var object: JSONObject

    func failure(_ message: String) -> RecordingFailure { RecordingFailure(name: name, line: line, message: message) }

    /// `nil` when absent or null.
    func number(_ key: String, in range: ClosedRange<Double>) throws(RecordingFailure) -> Double? {
        guard let value = object[key], value != .null else { return nil }
        guard let number = value.doubleValue else { throw failure("\(key) is \(value.text), not a number") }
        guard range.contains(number) else {
            throw failure("\(key) is \(value.text), outside \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A quantity that is never below zero: −1, or anything negative, stands for unknown.
    func quantity(_ key: String, upTo most: Double) throws(RecordingFailure) -> Double? {
        try number(key, in: -Double.greatestFiniteMagnitude...most).flatMap { $0 < 0 ? nil : $0 }
    }

    func required(_ key: String) throws(RecordingFailure) -> Double {
        let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        guard let number = try number(key, in: all) else { throw failure("\(key) is missing") }
        return number
    }

    func string(_ key: String) throws(RecordingFailure) -> String? {
        guard let value = object[key], value != .null else { return nil }
        guard let text = value.stringValue else { throw failure("\(key) is \(value.text), not a text") }
        return text
    }

    func bool(_ key: String) throws(RecordingFailure) -> Bool? {
        guard let value = object[key], value != .null else { return nil }
        guard let flag = value.boolValue else { throw failure("\(key) is \(value.text), neither true nor false") }
        return flag
    }

    /// Seconds of the boot clock, as nanoseconds.
    func monotonicNanos() throws(RecordingFailure) -> Int64? {
        try number("u", in: 0...Double(RecordedTime.latest) / 1e9).map { Int64(($0 * 1e9).rounded()) }
    }

    /// Seconds since 1970, up to the year 2100.
    func utc() throws(RecordingFailure) -> UTCTime? {
        try number("t", in: 0...4_102_444_800).map { UTCTime(millis: Int64(($0 * 1_000).rounded())) }
    }
}
