public import TrackerModel

/// What an accelerometer on board would say, second by second.
extension TrackScenario {
    /// The reading at a whole second: still since the leg or the last stop of a walker began, shaken while it moves.
    public func stillness(at seconds: Double) -> StillnessReading {
        let instant = Instant(nanos: Int64(seconds * 1e9))
        guard let run = quietRun(at: seconds) else {
            let began = shakenSince(seconds)
            return StillnessReading(
                instant: instant, rmsG: 0.12, stillSince: nil,
                shakenSince: began.map { Instant(nanos: Int64($0 * 1e9)) })
        }
        return StillnessReading(
            instant: instant, rmsG: 0.004, stillSince: Instant(nanos: Int64(run * 1e9)), shakenSince: nil)
    }

    /// Start of the unbroken quiet time; `nil` while shaken.
    private func quietRun(at seconds: Double) -> Double? {
        guard let index = legs.firstIndex(where: { seconds < $0.until }) ?? legs.indices.last else { return nil }
        if !legs[index].isStill { return standing(legs[index], seconds) }
        var first = index
        while first > 0, legs[first - 1].isStill { first -= 1 }
        return legs[first].from
    }

    /// A walker who stands is still; a car that stands has its engine running.
    private func standing(_ leg: Leg, _ seconds: Double) -> Double? {
        guard leg.carrier == .foot, let profile = leg.profile else { return nil }
        return profile.standing.first { $0.from <= seconds - leg.from && seconds - leg.from < $0.to }
            .map { $0.from + leg.from }
    }

    private func shakenSince(_ seconds: Double) -> Double? {
        guard let leg = leg(at: seconds), leg.path != nil else { return nil }
        let pauses = leg.profile?.standing ?? []
        return leg.from + (pauses.last { $0.to <= seconds - leg.from }?.to ?? 0)
    }

    /// Slower than 1 m/s a boat only swings on its mooring.
    private static func underway(_ leg: Leg) -> MotionScript.Activity {
        let metres = leg.path?.lengthM ?? 0
        return metres < leg.until - leg.from ? .swell : .sailing
    }

    /// What an accelerometer on board feels, with a car that stands running idle.
    /// - Parameter shaken: in stays that are not still, and all the time on a ferry there.
    func motion(seed: UInt64, shaken: MotionScript.Activity) -> MotionScript {
        var marks: [(until: Double, activity: MotionScript.Activity)] = []
        for leg in legs {
            let moving: MotionScript.Activity =
                switch leg.carrier {
                case .car: .driving
                case .foot: .walking
                case .ferry: shaken == .swell ? Self.underway(leg) : .still
                case nil: leg.isStill ? .still : shaken
                }
            for stop in leg.profile?.standing ?? [] {
                marks.append((leg.from + stop.from, moving))
                marks.append((leg.from + stop.to, leg.carrier == .car ? .idle : leg.carrier == .foot ? .still : moving))
            }
            marks.append((leg.until, moving))
        }
        return MotionScript(marks: marks, seed: seed)
    }

    /// Steps between two times: 1.8 a second while a walker moves.
    public func steps(from start: Double, to end: Double) -> Int {
        Int((walkedSeconds(until: end) * 1.8).rounded()) - Int((walkedSeconds(until: start) * 1.8).rounded())
    }

    private func walkedSeconds(until seconds: Double) -> Double {
        legs.reduce(0) { sum, leg in
            guard leg.carrier == .foot, leg.from < seconds, let profile = leg.profile else { return sum }
            let end = min(seconds, leg.until) - leg.from
            let stood = profile.standing.reduce(0) { $0 + max(0, min(end, $1.to) - min(end, $1.from)) }
            return sum + end - stood
        }
    }
}
