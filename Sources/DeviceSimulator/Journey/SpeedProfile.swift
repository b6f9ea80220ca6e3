/// How fast something goes along a path: as fast as limits and bends allow, never accelerating, braking or cornering
/// harder than told, standing at its stops. Between two marks of about one metre the acceleration is constant, so time
/// and place are exact at any instant.
struct SpeedProfile: Sendable {
    struct Limits: Sendable {
        /// m/s², all positive.
        var acceleration: Double
        var braking: Double
        var cornering: Double
    }

    struct Stop: Sendable {
        var atM: Double
        var seconds: Double
    }

    struct Motion: Equatable, Sendable {
        var metres: Double
        var speedMps: Double
    }

    private let stepM: Double
    /// Speed at every mark; both ends are 0.
    private let speeds: [Double]
    private let arrivals: [Double]
    private let departures: [Double]
    /// When it stands, in seconds from the start: one entry for every stop.
    let standing: [(from: Double, to: Double)]

    init(_ path: RoutePath, limits: Limits, stops: [Stop]) {
        let count = max(2, Int(path.lengthM.rounded()))
        let step = path.lengthM / Double(count)
        var dwell = [Double](repeating: 0, count: count + 1)
        var squares = (0...count).map { Self.topSquare(path, at: Double($0) * step, step: step, limits: limits) }
        for stop in stops {
            let mark = min(count - 1, max(1, Int((stop.atM / step).rounded())))
            dwell[mark] += stop.seconds
            squares[mark] = 0
        }
        (squares[0], squares[count]) = (0, 0)
        for mark in 1...count { squares[mark] = min(squares[mark], squares[mark - 1] + 2 * limits.acceleration * step) }
        for mark in (0..<count).reversed() {
            squares[mark] = min(squares[mark], squares[mark + 1] + 2 * limits.braking * step)
        }
        stepM = step
        speeds = squares.map { $0.squareRoot() }
        var (arrivals, departures, time) = ([0.0], [0.0], 0.0)
        var standing: [(Double, Double)] = []
        for mark in 1...count {
            time += 2 * step / (speeds[mark - 1] + speeds[mark])
            arrivals.append(time)
            if dwell[mark] > 0 { standing.append((time, time + dwell[mark])) }
            time += dwell[mark]
            departures.append(time)
        }
        (self.arrivals, self.departures, self.standing) = (arrivals, departures, standing)
    }

    var durationSeconds: Double { arrivals.last ?? 0 }

    /// Square of the highest speed at a mark: the lower of the sections on both sides of it.
    private static func topSquare(_ path: RoutePath, at metres: Double, step: Double, limits: Limits) -> Double {
        [-step, 0, step].reduce(Double.infinity) { lowest, offset in
            guard let section = path.section(at: min(path.lengthM, max(0, metres + offset))) else { return lowest }
            let bend = section.curvature == 0 ? Double.infinity : limits.cornering / abs(section.curvature)
            return min(lowest, section.limitMps * section.limitMps, bend)
        }
    }

    /// Where it is and how fast, `seconds` after the start.
    func motion(at seconds: Double) -> Motion {
        var (low, high) = (0, arrivals.count - 1)
        // The last mark that was reached.
        while low < high {
            let middle = (low + high + 1) / 2
            if arrivals[middle] <= seconds { low = middle } else { high = middle - 1 }
        }
        let start = Double(low) * stepM
        guard low < arrivals.count - 1, seconds > departures[low] else {
            return Motion(metres: start, speedMps: 0 < low && departures[low] == arrivals[low] ? speeds[low] : 0)
        }
        let acceleration = (speeds[low + 1] * speeds[low + 1] - speeds[low] * speeds[low]) / (2 * stepM)
        let elapsed = seconds - departures[low]
        return Motion(
            metres: min(start + stepM, start + speeds[low] * elapsed + acceleration * elapsed * elapsed / 2),
            speedMps: max(0, speeds[low] + acceleration * elapsed))
    }

    /// When it comes to a distance, in seconds from the start.
    func time(atM metres: Double) -> Double {
        let mark = min(arrivals.count - 1, max(0, Int((metres / stepM).rounded())))
        return arrivals[mark]
    }
}
