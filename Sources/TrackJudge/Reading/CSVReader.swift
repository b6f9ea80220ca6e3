import TrackerModel

/// Reads CSV with a header that names columns for time, latitude, longitude and, where there is one, accuracy (m). A
/// column for the date goes with a time of day. Lines that begin with `#` are comments.
enum CSVReader {
    static func read(_ bytes: [UInt8]) throws(JudgeFailure) -> Recording {
        var header: CSVHeader?
        var positions: [TimedPosition] = []
        var withoutPosition = 0
        var lines = TextLines(bytes)
        while let line = lines.next() {
            if line.first == UInt8(ascii: "#") || line.allSatisfy(\.isBlank) { continue }
            guard let header else {
                header = CSVHeader(line)
                if header == nil { throw noHeader(lines.number) }
                continue
            }
            if let position = try position(line, header, lines.number) {
                positions.append(position)
            } else {
                withoutPosition += 1
            }
        }
        return Recording(
            format: .csv, positions: positions,
            notes: withoutPosition > 0 ? ["\(withoutPosition) rows without a position are left out"] : [])
    }

    private static func noHeader(_ line: Int) -> JudgeFailure {
        JudgeFailure(
            line: line, cause: "no header that names columns for time, lat and lon",
            remedy: """
                begin with a line such as time,lat,lon,acc (time as ISO 8601, or seconds or milliseconds since 1970; \
                degrees with a sign, not with N, S, E or W)
                """)
    }

    /// `nil` for a row whose cells for latitude and longitude are empty.
    private static func position(
        _ line: ArraySlice<UInt8>, _ header: CSVHeader, _ number: Int
    ) throws(JudgeFailure) -> TimedPosition? {
        let cells = CSVRow.cells(line, separator: header.separator)
        guard cells.count > max(header.time, header.latitude, header.longitude) else {
            throw JudgeFailure(
                line: number, cause: "only \(cells.count) columns",
                remedy: "give each row the columns of the header; a file cut short can be used without its last line")
        }
        if cells[header.latitude].isEmpty, cells[header.longitude].isEmpty { return nil }
        let latitude = try decimal("latitude", cells[header.latitude], number)
        let longitude = try decimal("longitude", cells[header.longitude], number)
        let time = try time(cells, header, number)
        var accuracy: Double?
        if let column = header.accuracy, column < cells.count, !cells[column].isEmpty {
            accuracy = try decimal("accuracy", cells[column], number)
        }
        return TimedPosition(
            time: time, position: try FileNumbers.coordinate(latitude, longitude, line: number),
            accuracyM: FileNumbers.accuracyM(accuracy))
    }

    private static func time(_ cells: [String], _ header: CSVHeader, _ line: Int) throws(JudgeFailure) -> UTCTime {
        let text = cells[header.time]
        if let number = FileNumbers.decimal(text), let time = FileTime.time(number, unit: header.timeUnit) {
            return time
        }
        if let time = FileTime.iso(text) { return time }
        if let column = header.date, column < cells.count {
            let day = String(cells[column].map { $0 == "/" ? "-" : $0 })
            if let time = FileTime.iso(day + "T" + text) { return time }
        }
        throw JudgeFailure(
            line: line, cause: "the time '\(text.prefix(40))' cannot be read",
            remedy: "give ISO 8601 with a date, or seconds or milliseconds since 1970")
    }

    private static func decimal(_ name: String, _ text: String, _ line: Int) throws(JudgeFailure) -> Double {
        guard let number = FileNumbers.decimal(text) else {
            throw JudgeFailure(
                line: line, cause: "the \(name) '\(text.prefix(40))' is no number",
                remedy: "give decimal numbers with a point")
        }
        return number
    }
}
