import TrackerModel

/// The truth about a way, interpolated where it is dense enough.
struct Truth {
    /// Where the truth was at a time.
    enum Place: Equatable {
        case at(Coordinate)
        /// Between neighbours too far apart to interpolate.
        case hole
        /// Before its first or after its last position.
        case outside
    }

    /// Strictly ascending in time, at least two.
    let positions: [TimedPosition]
    let span: TimeSpan

    /// Of several positions of one time the first counts. `nil` where fewer than two times are left.
    init?(_ recorded: [TimedPosition]) {
        var positions: [TimedPosition] = []
        for item in recorded where positions.last.map({ $0.time < item.time }) ?? true { positions.append(item) }
        guard positions.count > 1, let first = positions.first, let last = positions.last else { return nil }
        self.positions = positions
        span = TimeSpan(from: first.time, to: last.time)
    }

    /// Stretches without a hole, in order.
    var runs: [ArraySlice<TimedPosition>] {
        var runs: [ArraySlice<TimedPosition>] = []
        var start = 0
        for index in 1...positions.count where index == positions.count || isHole(before: index) {
            runs.append(positions[start..<index])
            start = index
        }
        return runs
    }

    func place(at time: UTCTime) -> Place {
        let next = positions.firstIndex(notBefore: time)
        guard next < positions.count, time >= span.from else { return .outside }
        if positions[next].time == time { return .at(positions[next].position) }
        if isHole(before: next) { return .hole }
        return .at(positions[next - 1].position(at: time, towards: positions[next]))
    }

    /// The truth at every whole second of a run, interpolated.
    static func seconds(of run: ArraySlice<TimedPosition>) -> [TimedPosition] {
        guard let first = run.first, let last = run.last else { return [] }
        var seconds: [TimedPosition] = []
        var second = UTCTime(millis: first.time.millis.roundedUpToSecond)
        for (item, next) in zip(run, run.dropFirst()) {
            while second < next.time {
                seconds.append(TimedPosition(time: second, position: item.position(at: second, towards: next)))
                second = second.advanced(byMillis: 1_000)
            }
        }
        if second == last.time { seconds.append(TimedPosition(time: second, position: last.position)) }
        return seconds
    }

    private func isHole(before index: Int) -> Bool {
        positions[index].time.millis - positions[index - 1].time.millis > JudgeRules.longestInterpolationMillis
    }
}

extension Int64 {
    /// The whole second, in milliseconds, at or after this one; times are far from the ends of the type.
    fileprivate var roundedUpToSecond: Int64 {
        let rest = self % 1_000
        return rest > 0 ? self - rest + 1_000 : self - rest
    }
}
