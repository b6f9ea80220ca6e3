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

    public init(text: String) throws(BenchFailure) {
        var battery: (Double, Double)?
        var segments: [Segment] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            guard let word = words.first else { continue }
            let numbers = words.dropFirst().compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 1e9 }
            switch (word, numbers.count, words.count) {
            case ("battery", 2, 3) where battery == nil && numbers[0] > 0 && numbers[1] <= 100:
                battery = (numbers[0], numbers[1])
            case ("drain", 2, 3): segments.append(Self.segment(-numbers[0], seconds: numbers[1]))
            case ("charge", 2, 3): segments.append(Self.segment(numbers[0], seconds: numbers[1]))
            case ("fault", 1, 2): segments.append(Self.segment(0, seconds: numbers[0], isFault: true))
            default:
                throw BenchFailure(
                    cause: "line \(index + 1): '\(line)' is not understood",
                    remedy: "Write battery MWH PERCENT once, then drain MW SECONDS, charge MW SECONDS or fault SECONDS."
                )
            }
        }
        guard let battery else {
            throw BenchFailure(cause: "the script has no battery", remedy: "Begin with battery MWH PERCENT.")
        }
        (capacityMilliwattHours, percent) = battery
        self.segments = segments
    }

    private static func segment(_ milliwatts: Double, seconds: Double, isFault: Bool = false) -> Segment {
        Segment(milliwatts: milliwatts, isFault: isFault, millis: Int64((seconds * 1_000).rounded()))
    }
}
