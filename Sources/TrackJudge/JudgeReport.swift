public import WireText

/// A judgement with what was compared, for people and for programs. Metres have 2 decimals, seconds 3.
public struct JudgeReport: Sendable {
    let judgement: Judgement
    let track: (name: String, recording: Recording)
    let truth: (name: String, recording: Recording)

    public init(_ judgement: Judgement, track: (String, Recording), truth: (String, Recording)) {
        self.judgement = judgement
        self.track = (track.0, track.1)
        self.truth = (truth.0, truth.1)
    }

    /// For programs; what cannot be told is null.
    public var json: JSONObject {
        let (points, line, still) = (judgement.points, judgement.line, judgement.still)
        return [
            "track": .object(Self.json(track.name, track.recording)),
            "truth": .object(Self.json(truth.name, truth.recording)),
            "points": .object([
                "scored": .int(Int64(points.scored)), "outsideTruth": .int(Int64(points.outsideTruth)),
                "inTruthHoles": .int(Int64(points.inHoles)), "perHour": Self.number(points.perHour, places: 1),
                "errorM": Self.json(points.errorM),
            ]),
            "line": .object([
                "seconds": .int(Int64(line.seconds)), "secondsWithoutLine": .int(Int64(line.secondsWithoutLine)),
                "errorAtTimeM": Self.json(line.errorAtTimeM), "distanceM": Self.json(line.distanceM),
            ]),
            "length": .object([
                "trackM": Self.number(judgement.length.trackM), "truthM": Self.number(judgement.length.truthM),
                "errorM": Self.number(judgement.length.errorM),
                "errorPercent": Self.number(judgement.length.errorPercent),
            ]),
            "still": .object([
                "intervals": .int(Int64(still.intervals)), "seconds": .fixed(still.millis, places: 3),
                "falseIntervals": .int(Int64(still.falseIntervals)),
                "falseMovementM": Self.number(still.falseMovementM),
            ]),
            "missedMoves": .object(Self.json(judgement.missedMoves)),
            "missedTrips": .object(Self.json(judgement.missedTrips)),
            "turns": .object([
                "count": .int(Int64(judgement.turns.count)), "meanM": Self.number(judgement.turns.meanM),
                "maxM": Self.number(judgement.turns.maxM), "sumM": Self.number(judgement.turns.sumM),
            ]),
            "gaps": .object(Self.json(judgement.gaps)),
        ]
    }

    private static func json(_ name: String, _ recording: Recording) -> JSONObject {
        [
            "file": .string(name), "format": .string(recording.format.rawValue),
            "positions": .int(Int64(recording.positions.count)),
            "from": recording.positions.first.map { .string(TimeText.iso($0.time)) } ?? .null,
            "to": recording.positions.last.map { .string(TimeText.iso($0.time)) } ?? .null,
            "notes": .array(recording.notes.map { .string($0) }),
        ]
    }

    private static func json(_ spread: ErrorSpread?) -> JSONValue {
        guard let spread else { return .null }
        var object = JSONObject()
        for (name, metres) in spread.values { object[name] = number(metres) }
        return .object(object)
    }

    private static func json(_ unseen: Judgement.Unseen) -> JSONObject {
        [
            "count": .int(Int64(unseen.count)), "seconds": .fixed(unseen.millis, places: 3),
            "truthM": number(unseen.truthM),
        ]
    }

    static func number(_ value: Double?, places: Int = 2) -> JSONValue {
        value.flatMap { .decimal($0, places: places) } ?? .null
    }
}
