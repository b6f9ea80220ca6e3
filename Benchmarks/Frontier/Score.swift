import DeviceSimulator
import TrackJudge
import TrackerGeo
import TrackerModel

/// How good the track of a life is. `docs/frontier.md` says what each number means.
struct Score {
    /// In stays the pin is looked at once a minute.
    private static let stayStep = 60
    /// So far from where a trip began, or from the truth, something is somewhere else.
    private static let elsewhereM = 100.0
    /// What is still on its way when the device stands, and when it starts.
    private static let arrivalSeconds = 60.0

    /// Centimetres, at the 95th of 100: in trips, from the truth to the line at the time and to the line at all; in stays,
    /// from the truth to the last point.
    private(set) var lineAtTimeCM: Int64 = 0
    private(set) var offLineCM: Int64 = 0
    private(set) var pinCM: Int64 = 0
    private(set) var trips = 0
    private(set) var missedTrips = 0
    private(set) var falseTrips = 0

    /// - Parameter tracks: of lives, scored together.
    init(_ tracks: [(points: [TrackedPoint], life: Life)]) throws(JudgeFailure) {
        var pins: [Double] = []
        var atTime: [(count: Int, p95: Double)] = []
        var off: [(count: Int, p95: Double)] = []
        for (unsorted, life) in tracks {
            let points = unsorted.sorted { $0.second < $1.second }
            pins += Self.pinErrors(points, life)
            trips += life.trips.count
            countTrips(points, life)
            guard !life.trips.isEmpty else { continue }
            let line = try Judge.judge(track: Self.recording(points), truth: Self.truth(life)).line
            if let spread = line.errorAtTimeM { atTime.append((spread.count, spread.p95)) }
            if let spread = line.distanceM { off.append((spread.count, spread.p95)) }
        }
        lineAtTimeCM = Self.mean(atTime)
        offLineCM = Self.mean(off)
        pins.sort()
        pinCM = pins.isEmpty ? 0 : Int64((pins[min(pins.count - 1, pins.count * 95 / 100)] * 100).rounded())
    }

    /// Of several tracks, by their seconds.
    private static func mean(_ parts: [(count: Int, p95: Double)]) -> Int64 {
        let count = parts.reduce(0) { $0 + $1.count }
        guard count > 0 else { return 0 }
        return Int64((parts.reduce(0) { $0 + $1.p95 * Double($1.count) } / Double(count) * 100).rounded())
    }

    private static func recording(_ points: [TrackedPoint]) -> Recording {
        Recording(
            format: .jsonLines,
            positions: points.map {
                TimedPosition(time: time($0.second), position: $0.position, accuracyM: $0.accuracyM)
            })
    }

    /// Every second of the trips; between two of them the judge sees a hole.
    private static func truth(_ life: Life) -> Recording {
        let seconds = life.trips.flatMap { Int($0.from.rounded(.up))...Int($0.until) }
        return Recording(
            format: .jsonLines,
            positions: seconds.map {
                TimedPosition(
                    time: time(Double($0)), position: life.journey.trueState(at: Double($0)).position, accuracyM: 1)
            })
    }

    private static func time(_ second: Double) -> UTCTime {
        Life.start.advanced(byMillis: Int64((second * 1_000).rounded()))
    }

    private static func pinErrors(_ points: [TrackedPoint], _ life: Life) -> [Double] {
        var errors: [Double] = []
        var next = 0
        var trip = 0
        for second in stride(from: 0, to: life.durationSeconds, by: stayStep) {
            let now = Double(second)
            while next < points.count, points[next].second <= now { next += 1 }
            while trip < life.trips.count, life.trips[trip].until + arrivalSeconds < now { trip += 1 }
            let isTravelling = trip < life.trips.count && life.trips[trip].from <= now
            guard !isTravelling, next > 0 else { continue }
            errors.append(Geodesic.distanceM(points[next - 1].position, life.journey.trueState(at: now).position))
        }
        return errors
    }

    private mutating func countTrips(_ points: [TrackedPoint], _ life: Life) {
        for trip in life.trips {
            let origin = life.journey.trueState(at: trip.from).position
            let isSeen = points.contains {
                $0.second >= trip.from && $0.second <= trip.until
                    && Geodesic.distanceM($0.position, origin) > Self.elsewhereM
            }
            if !isSeen { missedTrips += 1 }
        }
        let ends = [-Self.arrivalSeconds] + life.trips.map(\.until)
        let starts = life.trips.map(\.from) + [life.journey.durationSeconds]
        for (from, until) in zip(ends, starts) {
            let isMoved = points.contains {
                $0.second > from + Self.arrivalSeconds && $0.second < until
                    && Geodesic.distanceM($0.position, life.journey.trueState(at: $0.second).position)
                        > Self.elsewhereM
            }
            if isMoved { falseTrips += 1 }
        }
    }
}
