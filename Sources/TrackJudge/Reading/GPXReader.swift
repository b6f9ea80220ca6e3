import TrackerModel

/// Reads the `trkpt` elements of a GPX file with their `time`, of all tracks and segments; nothing else of it.
///
/// Tolerant of what other programs write (any version, prefix or extension), and of a file that was cut short: its whole
/// points count.
struct GPXReader {
    /// A point that has begun and not ended.
    private struct Open {
        var position: Coordinate
        var depth: Int
        var time: UTCTime?
    }

    private var tags: XMLTags
    private var positions: [TimedPosition] = []
    private var withoutTime = 0
    private var depth = 0
    private var open: Open?
    /// Characters of the time element that is being read. What is longer than a time can be is not kept.
    private var timeText: String?
    private static let longestTime = 64

    static func read(_ bytes: [UInt8]) throws(JudgeFailure) -> Recording {
        var reader = GPXReader(tags: XMLTags(bytes))
        return try reader.recording()
    }

    private init(tags: XMLTags) { self.tags = tags }

    private mutating func recording() throws(JudgeFailure) -> Recording {
        var notes: [String] = []
        var isWhole = true
        while true {
            let event: XMLTags.Event?
            do throws(JudgeFailure) { event = try tags.next() } catch {
                isWhole = false
                break
            }
            guard let event else { break }
            try take(event)
        }
        if !isWhole || depth > 0 { notes.append("cut short on line \(tags.line); the points before that count") }
        if withoutTime > 0 { notes.append("\(withoutTime) points without a time are left out") }
        return Recording(format: .gpx, positions: positions, notes: notes)
    }

    private mutating func take(_ event: XMLTags.Event) throws(JudgeFailure) {
        switch event {
        case .start(let name, let isEmpty):
            try start(name)
            if isEmpty { try end(name) }
        case .end(let name): try end(name)
        case .text(let range, let isLiteral):
            guard let text = timeText else { return }
            let isShort = text.utf8.count < Self.longestTime && range.count < Self.longestTime
            timeText = isShort ? text + tags.text(range, isLiteral: isLiteral) : "longer than any time"
        }
    }

    private mutating func start(_ name: String) throws(JudgeFailure) {
        if depth == 0, name != "gpx" {
            throw JudgeFailure(
                line: tags.line, cause: "XML, but <\(name)> and not GPX",
                remedy: "convert it, for example with gpsbabel -o gpx")
        }
        depth += 1
        if name == "trkpt" {
            guard open == nil else {
                throw JudgeFailure(
                    line: tags.line, cause: "a trkpt inside a trkpt", remedy: "close each before the next")
            }
            open = Open(
                position: try FileNumbers.coordinate(degrees("lat"), degrees("lon"), line: tags.line), depth: depth)
        } else if name == "time", let open, depth == open.depth + 1 {
            timeText = ""
        }
    }

    private mutating func end(_ name: String) throws(JudgeFailure) {
        if name == "time", let text = timeText {
            timeText = nil
            guard let time = FileTime.iso(text) else {
                throw JudgeFailure(
                    line: tags.line, cause: "the time '\(text.prefix(40))' cannot be read",
                    remedy: "give ISO 8601 such as 2026-05-04T07:00:01Z")
            }
            open?.time = time
        } else if name == "trkpt", let point = open {
            open = nil
            if let time = point.time {
                positions.append(TimedPosition(time: time, position: point.position))
            } else {
                withoutTime += 1
            }
        }
        depth = max(0, depth - 1)
    }

    private func degrees(_ name: String) throws(JudgeFailure) -> Double {
        let text = tags.attribute(name)
        guard let number = text.flatMap(FileNumbers.decimal) else {
            throw JudgeFailure(
                line: tags.line,
                cause: text.map { "\(name)=\"\($0.prefix(40))\" is no number" } ?? "a trkpt without \(name)",
                remedy: "a trkpt has lat and lon in decimal degrees")
        }
        return number
    }
}
