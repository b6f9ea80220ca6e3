import TrackerModel

extension DecisionExplanation {
    /// Which branch of stage 6 the fix came to, as far as the stored numbers tell.
    enum Movement {
        case vehicle
        case foot
        case still

        var words: String {
            switch self {
            case .vehicle: "driving"
            case .foot: "moving"
            case .still: "standing still"
            }
        }
    }

    var speedMps: Double { Double(decision.speedMMps ?? 0) / 1_000 }
    var distanceM: Double { Double(decision.distanceMM ?? 0) / 1_000 }
    var elapsedSeconds: Double { Double(decision.evidence.elapsedMillis ?? 0) / 1_000 }

    /// The features of spec capture §8.1 from the decision. Whether the receiver measured a speed at all is not stored:
    /// a fix below 0.3 m/s is taken as one without, for which twice the wobble is allowed.
    var movement: Movement {
        let flags = decision.evidence.flags
        if speedMps > Limit.vehicular, !flags.contains(.stillVeto) { return .vehicle }
        if !flags.isDisjoint(with: [.stepVeto, .accelVeto, .stillVeto]) { return .still }
        let isStill = flags.contains(.hwStill)
        let ground = elapsedSeconds >= 1 ? distanceM / elapsedSeconds : 0
        let wobble = isStill ? Limit.wobbleWithoutSpeed : Limit.wobble
        let isMoving =
            (speedMps > Limit.walk && (speedMps >= Limit.virtuallyStopped || distanceM > wobble))
            || (!isStill && distanceM > Limit.wobble && ground > Limit.still)
            || (!isStill && speedMps >= Limit.walk && ground >= Limit.walk)
        return isMoving ? .foot : .still
    }

    /// Straight from the stored point, km/h; `nil` when no time has passed.
    var impliedKmh: Double? { elapsedSeconds > 0 ? distanceM / elapsedSeconds * 3.6 : nil }

    /// Why no branch wanted a point, for `Heuristic Gate`.
    var unwanted: String {
        switch movement {
        case .vehicle:
            let reach = Limit.legSpeed * elapsedSeconds + Limit.legSlack
            if distanceM >= reach {
                return "Even at \(Amount.whole(Limit.legSpeed)) m/s it could only have come \(Amount.whole(reach)) m."
            }
            return
                "For a fix of a vehicle the accuracy radius is too wide: below \(Amount.whole(Limit.vehicularAccuracy)) m "
                + "is wanted, \(Amount.whole(Limit.mediumAccuracy)) m without speed and course, "
                + "\(Amount.whole(Limit.slowVehicularAccuracy)) m when the receiver measures less than "
                + "\(Amount.whole(Limit.virtuallyStopped)) m/s."
        case .foot:
            if distanceM <= Limit.minimumMove, elapsedSeconds <= Limit.movingMinimum {
                return "A moving fix is stored more than \(Amount.whole(Limit.minimumMove)) m away or more than "
                    + "\(Amount.whole(Limit.movingMinimum)) s later."
            }
            return
                "For a moving fix the accuracy radius is too wide: below \(Amount.whole(Limit.mediumAccuracy)) m is wanted, "
                + "\(Amount.whole(Limit.highAccuracy)) m when the receiver measures no speed."
        case .still:
            return "Nothing asked for a point: it has not just arrived, it is not clearly elsewhere (more than "
                + "\(Amount.whole(Limit.recoveryStill)) m, or \(Amount.whole(Limit.wakeUp)) m after a silence), and a sign of "
                + "life is due after \(Amount.whole(config.pipeline.heartbeatSeconds)) s."
        }
    }
}
