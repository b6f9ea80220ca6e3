public import TrackerModel
import WireText

/// A drive with a Raspberry Pi that logged acceleration at 10 Hz and GNSS at 1 Hz on one clock (`accel/rpi-car`).
public struct CarLog: Sendable {
    public struct Position: Sendable {
        public let instant: Instant
        /// Of the last time line before it; the log's dates are right.
        public let time: UTCTime?
        public let coordinate: Coordinate
        public let speedMps: Double
        /// 0 where it is not known.
        public let courseDeg: Double?
        /// What the log calls the σ of the horizontal position, metres; 0 until there is one.
        public let sigmaM: Double?
    }

    public private(set) var samples: [MotionSample] = []
    /// Each second is told twice or three times at the start.
    public private(set) var positions: [Position] = []

    private static let g = 9.80665

    public static func read() throws -> Self {
        var log = Self()
        var time: UTCTime?
        for line in try SharedData.requireText("accel/rpi-car/20160209_RPi_Regensburg.part1.log")
            .split(whereSeparator: \.isNewline)
        {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { field in
                String(field.drop { $0 == " " })
            }
            guard fields.count > 8, let millis = Int64(fields[3]) else { continue }
            let instant = Instant(millis: millis)
            switch fields[2] {
            case "$GVSNSACC":
                guard let x = Double(fields[4]), let y = Double(fields[5]), let z = Double(fields[6]) else { continue }
                log.samples.append(MotionSample(instant: instant, x: x / g, y: y / g, z: z / g))
            case "$GVGNSTIM": time = Self.time(fields) ?? time
            case "$GVGNSPOS":
                guard fields.count > 17, let latitude = Double(fields[4]), let longitude = Double(fields[5]),
                    let speed = Double(fields[8])
                else { continue }
                log.positions.append(
                    Position(
                        instant: instant, time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
                        speedMps: speed, courseDeg: Double(fields[10]), sigmaM: Double(fields[17])))
            default: continue
            }
        }
        return log
    }

    private static func time(_ fields: [String]) -> UTCTime? {
        let parts = fields.dropFirst(4).prefix(6).compactMap { Int($0) }
        guard parts.count == 6 else { return nil }
        return CivilTime(
            year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5]
        ).utc
    }
}
