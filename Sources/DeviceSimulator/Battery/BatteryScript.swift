import TrackerModel

/// What happens to a simulated battery: `battery MWH PERCENT` first, then segments of `drain MW SECONDS`,
/// `charge MW SECONDS` and `fault SECONDS`, one a line; `#` starts a comment. After the last one nothing flows.
public struct BatteryScript: Equatable, Sendable {
    public struct Segment: Equatable, Sendable {
        /// Milliwatts into the battery, negative out of it.
        public var milliwatts: Double
        /// The gauge does not acknowledge its address.
        public var isFault: Bool
        public var millis: Int64
    }

    public var capacityMilliwattHours: Double
    public var percent: Double
    public var segments: [Segment]

    /// - Throws: `ScriptFailure` with the line, or 0 when there is no battery.
    public init(text: String) throws(ScriptFailure) { try self.init(ScriptLine.all(text)) }

    init(_ lines: [ScriptLine]) throws(ScriptFailure) {
        var battery: (Double, Double)?
        var segments: [Segment] = []
        for line in lines {
            let words = line.words
            let numbers = words.dropFirst().compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 1e9 }
            switch (words[0], numbers.count, words.count) {
            case ("battery", 2, 3) where battery == nil && numbers[0] > 0 && numbers[1] <= 100:
                battery = (numbers[0], numbers[1])
            case ("drain", 2, 3): segments.append(Self.segment(-numbers[0], seconds: numbers[1]))
            case ("charge", 2, 3): segments.append(Self.segment(numbers[0], seconds: numbers[1]))
            case ("fault", 1, 2): segments.append(Self.segment(0, seconds: numbers[0], isFault: true))
            default:
                throw line.failure(
                    "expected battery MWH PERCENT once, and drain MW SECONDS, charge MW SECONDS or fault SECONDS")
            }
        }
        guard let battery else {
            throw ScriptFailure(line: 0, message: "the script has no battery; begin with battery MWH PERCENT")
        }
        (capacityMilliwattHours, percent) = battery
        self.segments = segments
    }

    /// The segment under way; `nil` after the last one.
    func segment(at instant: Instant) -> Segment? {
        zip(segments, ends).first { instant < $1 }?.0
    }

    /// Where each segment ends.
    var ends: [Instant] {
        var end: Int64 = 0
        return segments.map { segment in
            end += segment.millis
            return Instant(millis: end)
        }
    }

    private static func segment(_ milliwatts: Double, seconds: Double, isFault: Bool = false) -> Segment {
        Segment(milliwatts: milliwatts, isFault: isFault, millis: Int64((seconds * 1_000).rounded()))
    }
}
