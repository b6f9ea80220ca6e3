import Ports
import TrackJudge
import TrackerEngine
public import WireText

/// A rule or a mode over one life, or over several taken together, in numbers.
public struct Row {
    private let outcomes: [Outcome]
    private let lives: [Life]
    private let name: String
    private let kind: String

    /// Why there is no row.
    public struct Failure: Error {
        public var text: String
    }

    private init(_ name: String, kind: String, _ outcomes: [Outcome], _ lives: [Life]) {
        self.name = name
        self.kind = kind
        self.outcomes = outcomes
        self.lives = lives
    }

    public init(_ rule: PublishedRule, _ lives: [Life]) {
        let outcomes = lives.map { life in
            var run = BaselineRun(life, rule)
            return run.run()
        }
        self.init(rule.name, kind: rule.isStrengthened ? "strengthened" : "published", outcomes, lives)
    }

    public init(_ mode: Mode, _ lives: [Life]) throws(Failure) {
        var outcomes: [Outcome] = []
        for life in lives {
            do throws(StoreFailure) { outcomes.append(try PolicyRun(life, mode).run()) } catch {
                throw Failure(text: "\(error.cause); \(error.remedy)")
            }
        }
        self.init(mode.name, kind: "policy", outcomes, lives)
    }

    private var score: Score {
        get throws(Failure) {
            do throws(JudgeFailure) { return try Score(zip(outcomes, lives).map { ($0.points, $1) }) } catch {
                throw Failure(text: "\(error.cause); \(error.remedy)")
            }
        }
    }

    /// Millijoules, seconds, bytes, centimetres.
    public func json(life: String) throws(Failure) -> JSONObject {
        let score = try score
        let energy = outcomes.reduce(EnergyUse()) { $0 + $1.energy }
        func sum(_ part: (Outcome) -> Int64) -> JSONValue { .int(outcomes.reduce(0) { $0 + part($1) }) }
        func millijoules(_ nanojoules: Int64) -> JSONValue { .int(nanojoules / 1_000_000) }
        return [
            "life": .string(life), "kind": .string(kind), "name": .string(name),
            "durationSec": .int(lives.reduce(0) { $0 + Int64($1.durationSeconds) }),
            "totalMj": millijoules(energy.totalNanojoules), "receiverMj": millijoules(energy.receiverNanojoules),
            "modemMj": millijoules(energy.modemNanojoules),
            "receiverSec": sum { $0.receiverOnSeconds }, "radioSec": sum { $0.server.radioMillis / 1_000 },
            "points": sum { Int64($0.points.count) }, "bytesUp": sum { $0.server.bytesUp },
            "bytesDown": sum { $0.server.bytesDown }, "lineAtTimeCM": .int(score.lineAtTimeCM),
            "offLineCM": .int(score.offLineCM), "pinCM": .int(score.pinCM), "trips": .int(Int64(score.trips)),
            "missedTrips": .int(Int64(score.missedTrips)), "falseTrips": .int(Int64(score.falseTrips)),
        ]
    }
}
