/// How a track compares with the truth. docs/modules/judge.md defines every number.
public struct Judgement: Equatable, Sendable {
    /// The points against the truth at their times.
    public struct Points: Equatable, Sendable {
        public internal(set) var scored = 0
        /// Before the truth begins or after it ends.
        public internal(set) var outsideTruth = 0
        /// Where the truth has no neighbours close enough to interpolate.
        public internal(set) var inHoles = 0
        /// Points during the truth over its duration.
        public internal(set) var perHour = 0.0
        /// `nil` when none is scored.
        public internal(set) var errorM: ErrorSpread?
    }

    /// The line through the points against the truth at every whole second.
    public struct Line: Equatable, Sendable {
        public internal(set) var seconds = 0
        /// Truth before the first or after the last point: without error at the time.
        public internal(set) var secondsWithoutLine = 0
        public internal(set) var errorAtTimeM: ErrorSpread?
        public internal(set) var distanceM: ErrorSpread?
    }

    /// Length of the line and of the truth, metres.
    public struct Length: Equatable, Sendable {
        public internal(set) var trackM = 0.0
        public internal(set) var truthM = 0.0

        public var errorM: Double { trackM - truthM }
        /// Of the truth; `nil` when that did not move.
        public var errorPercent: Double? { truthM > 0 ? errorM / truthM * 100 : nil }
    }

    /// Standstills of the truth.
    public struct Still: Equatable, Sendable {
        public internal(set) var intervals = 0
        public internal(set) var millis: Int64 = 0
        /// Those in which the track moved, and how far.
        public internal(set) var falseIntervals = 0
        public internal(set) var falseMovementM = 0.0
    }

    /// Spans in which something went unseen.
    public struct Unseen: Equatable, Sendable {
        public internal(set) var count = 0
        public internal(set) var millis: Int64 = 0
        /// How far the truth moved in them.
        public internal(set) var truthM = 0.0

        mutating func add(millis: Int64, truthM: Double) {
            count += 1
            self.millis += millis
            self.truthM += truthM
        }
    }

    /// Distance of the line from the truth's corners, metres.
    public struct Turns: Equatable, Sendable {
        public internal(set) var count = 0
        public internal(set) var sumM = 0.0
        public internal(set) var maxM = 0.0

        public var meanM: Double? { count > 0 ? sumM / Double(count) : nil }
    }

    public internal(set) var points = Points()
    public internal(set) var line = Line()
    public internal(set) var length = Length()
    public internal(set) var still = Still()
    /// Spans between points that went on for too long after the truth had moved.
    public internal(set) var missedMoves = Unseen()
    /// Trips of the truth without any point.
    public internal(set) var missedTrips = Unseen()
    public internal(set) var turns = Turns()
    public internal(set) var gaps = Unseen()
}
