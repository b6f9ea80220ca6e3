import TrackJudge
import TrackerGeo
import TrackerModel

/// A hand-made way, second by second, in metres east and north of a place.
struct Way {
    static let start = UTCTime(millis: 1_777_878_000_000)

    let frame: LocalFrame
    private(set) var second: Int64 = 0
    private(set) var east = 0.0
    private(set) var north = 0.0
    private(set) var items: [TimedPosition] = []

    init(origin: Coordinate = Coordinate(latitude: 47.05, longitude: 8.3)) {
        frame = LocalFrame(origin: origin)
        add()
    }

    /// Straight on, with a position each second; the last step is as long as what is left.
    mutating func go(east dEast: Double = 0, north dNorth: Double = 0, speedMps: Double) {
        let length = (dEast * dEast + dNorth * dNorth).squareRoot()
        let (fromEast, fromNorth) = (east, north)
        let steps = Int64((length / speedMps).rounded(.up))
        for step in 1...max(1, steps) {
            let share = min(1, Double(step) * speedMps / length)
            (east, north) = (fromEast + dEast * share, fromNorth + dNorth * share)
            second += 1
            add()
        }
    }

    /// At rest, each position off by up to `jitterM` in both directions.
    mutating func stay(seconds: Int64, jitterM: Double = 0, using random: inout some RandomNumberGenerator) {
        for _ in 0..<seconds {
            second += 1
            let range = -jitterM...jitterM
            add(off: (Double.random(in: range, using: &random), Double.random(in: range, using: &random)))
        }
    }

    mutating func stay(seconds: Int64) {
        for _ in 0..<seconds {
            second += 1
            add()
        }
    }

    private mutating func add(off: (Double, Double) = (0, 0)) {
        items.append(
            TimedPosition(
                time: Way.time(Double(second)), position: frame.position(east: east + off.0, north: north + off.1)))
    }

    static func time(_ second: Double) -> UTCTime { start.advanced(byMillis: Int64((second * 1_000).rounded())) }

    /// A point of a track.
    func point(_ second: Double, east: Double, north: Double, accuracyM: Double? = nil) -> TimedPosition {
        TimedPosition(
            time: Way.time(second), position: frame.position(east: east, north: north), accuracyM: accuracyM)
    }

    /// The way's own positions at every so many seconds, moved aside.
    func points(every seconds: Int, offEast: Double = 0, offNorth: Double = 0, lateSec: Double = 0) -> [TimedPosition] {
        stride(from: 0, to: items.count, by: seconds).map { index in
            let (x, y) = frame.offset(of: items[index].position)
            return point(Double(index) + lateSec, east: x + offEast, north: y + offNorth, accuracyM: 5)
        }
    }

    var recording: Recording { Recording(format: .jsonLines, positions: items) }
}

extension Judge {
    static func judge(_ track: [TimedPosition], truth: Way) throws(JudgeFailure) -> Judgement {
        try judge(track: Recording(format: .jsonLines, positions: track), truth: truth.recording)
    }
}

extension Double {
    func isNear(_ other: Double, by tolerance: Double = 0.01) -> Bool { abs(self - other) <= tolerance }
}
