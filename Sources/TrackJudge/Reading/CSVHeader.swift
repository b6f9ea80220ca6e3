/// The first line of a CSV file: which columns have what.
struct CSVHeader {
    let separator: UInt8
    let time: Int
    let timeUnit: FileTime.Unit
    /// Of the day, for files whose time is a time of day.
    let date: Int?
    let latitude: Int
    let longitude: Int
    let accuracy: Int?

    /// Names in lower case, without a unit in brackets. Times of the first list are told apart by their look.
    private static let timeNames = ["time", "t", "timestamp", "datetime", "date_time", "time_utc", "utc"]
    private static let secondNames = ["time_s", "timesec", "time_sec", "unix", "epoch"]
    private static let millisNames = ["time_ms", "timems", "timestamp_ms", "t_ms"]
    private static let latitudeNames = ["lat", "latitude", "lat_deg", "latitude_deg"]
    private static let longitudeNames = ["lon", "lng", "long", "longitude", "lon_deg", "longitude_deg"]
    private static let accuracyNames = ["acc", "accuracy", "acc_m", "accuracy_m", "accuracym"]

    private static let hemisphereNames = ["n/s", "e/w", "ns", "ew"]

    /// `nil` when no separator (comma, semicolon, tab) makes columns for time, latitude and longitude of it, or when the
    /// hemispheres have columns of their own: without them the degrees would be wrong.
    init?(_ line: ArraySlice<UInt8>) {
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            let names = CSVRow.cells(line, separator: separator).map(Self.plain)
            func column(_ wanted: [String]) -> Int? { names.firstIndex { wanted.contains($0) } }
            guard let latitude = column(Self.latitudeNames), let longitude = column(Self.longitudeNames),
                column(Self.hemisphereNames) == nil
            else { continue }
            if let column = column(Self.millisNames) {
                (time, timeUnit) = (column, .millis)
            } else if let column = column(Self.secondNames) {
                (time, timeUnit) = (column, .seconds)
            } else if let column = column(Self.timeNames) {
                (time, timeUnit) = (column, .either)
            } else {
                continue
            }
            (self.separator, self.latitude, self.longitude) = (separator, latitude, longitude)
            accuracy = column(Self.accuracyNames)
            date = column(["date"])
            return
        }
        return nil
    }

    private static func plain(_ name: String) -> String {
        let end = name.firstIndex { $0 == "(" || $0 == "[" } ?? name.endIndex
        return name[..<end].utf8.trimmedText.lowercased().split(separator: " ").joined(separator: "_")
    }
}

/// The cells of one line.
enum CSVRow {
    /// Cells in double quotes may have the separator in them, and a quote doubled; a line end may not (RFC 4180 allows
    /// it, tracks have no such texts).
    static func cells(_ line: ArraySlice<UInt8>, separator: UInt8) -> [String] {
        let quote = UInt8(ascii: "\"")
        var cells: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        for byte in line {
            if byte == quote {
                isQuoted.toggle()
                // The second of a doubled quote opens again: the quote itself belongs to the text.
                if isQuoted, !cell.isEmpty { cell.append(quote) }
            } else if byte == separator, !isQuoted {
                cells.append(cell.trimmedText)
                cell.removeAll(keepingCapacity: true)
            } else {
                cell.append(byte)
            }
        }
        cells.append(cell.trimmedText)
        return cells
    }
}
