import WireText

extension JudgeReport {
    private static let nameWidth = 37
    private static let columnWidth = 10

    /// For people: a line for each thing, ending with a line end.
    public var page: String {
        let (points, line, still, length) = (judgement.points, judgement.line, judgement.still, judgement.length)
        let (turns, without) = (judgement.turns, line.secondsWithoutLine)
        let head = [
            Self.file("track", track.name, track.recording), Self.file("truth", truth.name, truth.recording),
            Self.row(
                "points",
                "\(points.scored) scored, \(points.outsideTruth) outside the truth's time, "
                    + "\(points.inHoles) in its holes, \(Self.text(points.perHour, 1)) an hour"),
            Self.row(
                "seconds of truth", "\(line.seconds), \(without) of them before the first or after the last point"),
            "",
        ]
        let titles = ["50 %", "68 %", "95 %", "99 %", "max"].map { Self.padded($0, Self.columnWidth) }.joined()
        let errors = [
            Self.row("metres", titles), Self.spread("error of the points", points.errorM),
            Self.spread("error of the line at the time", line.errorAtTimeM),
            Self.spread("distance of the truth from the line", line.distanceM), "",
        ]
        let rest = [
            Self.row(
                "length",
                "\(Self.text(length.trackM)) m, truly \(Self.text(length.truthM)) m: \(Self.text(length.errorM)) m"
                    + (length.errorPercent.map { ", \(Self.text($0)) %" } ?? "")),
            Self.row(
                "false movement",
                "\(Self.text(still.falseMovementM)) m, in \(still.falseIntervals) of \(still.intervals) standstills of "
                    + "\(Self.seconds(still.millis)) s together"),
            Self.row("missed movement", Self.text(judgement.missedMoves)),
            Self.row("trips without a point", Self.text(judgement.missedTrips)),
            Self.row(
                "sharp turns",
                turns.count == 0
                    ? "none"
                    : "\(turns.count), the line off by \(Self.text(turns.meanM)) m in the mean, "
                        + "\(Self.text(turns.maxM)) m at most, \(Self.text(turns.sumM)) m together"),
            Self.row("gaps", Self.text(judgement.gaps)),
        ]
        return (head + errors + rest).map { $0 + "\n" }.joined()
    }

    private static func file(_ title: String, _ name: String, _ recording: Recording) -> String {
        let times = [recording.positions.first, recording.positions.last].compactMap {
            $0.map { TimeText.iso($0.time) }
        }
        let facts = [recording.format.rawValue, "\(recording.positions.count) positions"] + recording.notes
        return row(title, name + ": " + (facts + [times.joined(separator: " to ")]).joined(separator: ", "))
    }

    private static func spread(_ title: String, _ spread: ErrorSpread?) -> String {
        guard let spread else { return row(title, padded("-", columnWidth)) }
        return row(title, spread.values.map { padded(text($0.metres), columnWidth) }.joined())
    }

    private static func text(_ unseen: Judgement.Unseen) -> String {
        unseen.count == 0
            ? "none" : "\(unseen.count), \(seconds(unseen.millis)) s and \(text(unseen.truthM)) m of truth together"
    }

    private static func text(_ value: Double?, _ places: Int = 2) -> String {
        let number = number(value, places: places)
        return number == .null ? "-" : number.text
    }

    private static func seconds(_ millis: Int64) -> String { String((millis + 500) / 1_000) }

    private static func row(_ title: String, _ text: String) -> String {
        title + String(repeating: " ", count: max(1, nameWidth - title.count)) + text
    }

    /// To the right of a column.
    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
