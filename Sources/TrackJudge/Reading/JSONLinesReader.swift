import TrackerModel
import WireText

/// Reads location recordings: a JSON object a line with `t` (s since 1970, may have a fraction), `lat`, `lon` and, if
/// known, `acc` (m); other members are of no interest. Lines of the accelerometer (`x`, `y`, `z`) are passed over
/// (spec capture §14), and so is what `tracker record` writes while date or position are not known yet: a line with `u`
/// but without `t` or with 0, 0, which is counted.
enum JSONLinesReader {
    static func read(_ bytes: [UInt8]) throws(JudgeFailure) -> Recording {
        var positions: [TimedPosition] = []
        var withoutDate = 0
        var withoutPosition = 0
        var lines = TextLines(bytes)
        while let line = lines.next() {
            if line.allSatisfy(\.isBlank) { continue }
            let value: JSONValue
            do throws(JSONFailure) { value = try JSONReader.parse(Array(line)) } catch {
                // The recorder was stopped while it wrote: all before it counts.
                if lines.isAtEnd { break }
                throw JudgeFailure(
                    line: lines.number, cause: "no JSON at byte \(error.offset + 1): \(error.message)",
                    remedy: "give one JSON object on each line")
            }
            guard let object = value.objectValue else {
                throw JudgeFailure(
                    line: lines.number, cause: "JSON, but no object", remedy: "give one JSON object on each line")
            }
            if object["lat"] == nil, object["x"] != nil { continue }
            if isOfReceiver(object), object["t"] == nil {
                withoutDate += 1
            } else if isOfReceiver(object), object["lat"]?.doubleValue == 0, object["lon"]?.doubleValue == 0 {
                withoutPosition += 1
            } else {
                positions.append(try position(object, line: lines.number))
            }
        }
        var notes: [String] = []
        if withoutDate > 0 { notes.append("\(withoutDate) fixes without a date are left out") }
        if withoutPosition > 0 { notes.append("\(withoutPosition) fixes without a position are left out") }
        return Recording(format: .jsonLines, positions: positions, notes: notes)
    }

    /// A fix with the reading of the boot clock, which nobody else's files have.
    private static func isOfReceiver(_ object: JSONObject) -> Bool {
        object["u"]?.doubleValue != nil && object["lat"] != nil && object["lon"] != nil
    }

    private static func position(_ object: JSONObject, line: Int) throws(JudgeFailure) -> TimedPosition {
        let t = try number("t", object, line)
        guard let time = FileTime.time(t) else {
            throw JudgeFailure(
                line: line, cause: "'t' is \(t), no time after the year 0 and before 10000",
                remedy: "give seconds since 1970, not milliseconds")
        }
        let position = try FileNumbers.coordinate(number("lat", object, line), number("lon", object, line), line: line)
        var accuracy: Double?
        if object["acc"] != nil { accuracy = try number("acc", object, line) }
        return TimedPosition(time: time, position: position, accuracyM: FileNumbers.accuracyM(accuracy))
    }

    private static func number(_ name: String, _ object: JSONObject, _ line: Int) throws(JudgeFailure) -> Double {
        guard let number = object[name]?.doubleValue else {
            throw JudgeFailure(
                line: line, cause: object[name] == nil ? "'\(name)' is missing" : "'\(name)' is no number",
                remedy: "a location has the numbers t (seconds since 1970), lat and lon, and may have acc")
        }
        return number
    }
}
