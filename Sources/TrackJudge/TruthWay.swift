import TrackerGeo
import TrackerModel

/// The way of the truth in moves of at least `JudgeRules.truthStepM`: what is below that, jitter at rest above all, adds
/// no length.
struct TruthWay {
    /// The ends of the moves.
    let positions: [TimedPosition]
    /// Metres from the start to each of them.
    let lengthsM: [Double]

    init(_ truth: some Sequence<TimedPosition>) {
        var positions: [TimedPosition] = []
        var lengths: [Double] = []
        for item in truth {
            guard let last = positions.last, let length = lengths.last else {
                positions.append(item)
                lengths.append(0)
                continue
            }
            let move = Geodesic.distanceM(last.position, item.position)
            guard move >= JudgeRules.truthStepM else { continue }
            positions.append(item)
            lengths.append(length + move)
        }
        self.positions = positions
        lengthsM = lengths
    }

    var lengthM: Double { lengthsM.last ?? 0 }

    /// Metres of the moves that had ended by `time`.
    func lengthM(at time: UTCTime) -> Double {
        let index = positions.firstIndex(notBefore: time.advanced(byMillis: 1))
        return index > 0 ? lengthsM[index - 1] : 0
    }

    /// When more than `lengthM` metres had been made; `nil` when that never happens.
    func firstTime(beyond lengthM: Double) -> UTCTime? {
        var (low, high) = (0, lengthsM.count)
        while low < high {
            let middle = (low + high) / 2
            if lengthsM[middle] <= lengthM { low = middle + 1 } else { high = middle }
        }
        return low < positions.count ? positions[low].time : nil
    }

    /// The place after so many metres, clamped to the ends.
    func position(atLengthM length: Double) -> Coordinate? {
        guard let first = positions.first, let last = positions.last else { return nil }
        guard length > 0 else { return first.position }
        guard length < lengthM else { return last.position }
        var (low, high) = (0, lengthsM.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lengthsM[middle] <= length { low = middle } else { high = middle }
        }
        let share = (length - lengthsM[low]) / (lengthsM[high] - lengthsM[low])
        return positions[low].position.moved(towards: positions[high].position, by: share)
    }
}
