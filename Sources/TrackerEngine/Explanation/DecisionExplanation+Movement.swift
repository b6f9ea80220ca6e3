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

    /// As the rules took it, after the vetoes.
    var movement: Movement {
        let flags = decision.evidence.flags
        if flags.contains(.vehicular) { return .vehicle }
        return flags.contains(.moving) ? .foot : .still
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
            return "For a fix of a vehicle the accuracy radius is too wide: " + vehicleLimit
        case .foot:
            if distanceM <= Limit.minimumMove, elapsedSeconds <= Limit.movingMinimum {
                return "A moving fix is stored more than \(Amount.whole(Limit.minimumMove)) m away or more than "
                    + "\(Amount.whole(Limit.movingMinimum)) s later."
            }
            let limit = decision.evidence.flags.contains(.hwStill) ? Limit.highAccuracy : Limit.mediumAccuracy
            return
                "For a moving fix \(measured) the accuracy radius is too wide: below \(Amount.whole(limit)) m is wanted."
        case .still:
            return "Nothing asked for a point: it has not just arrived, it is not clearly elsewhere (more than "
                + "\(Amount.whole(Limit.recoveryStill)) m, or \(Amount.whole(Limit.wakeUp)) m after a silence), and a sign of "
                + "life is due after \(Amount.whole(config.pipeline.heartbeatSeconds)) s."
        }
    }

    /// What the receiver said of speed; the limits of accuracy depend on it.
    private var measured: String {
        let flags = decision.evidence.flags
        if flags.contains(.hwStill) {
            return flags.contains(.hasSpeed) ? "whose measured speed is that of standing" : "without a measured speed"
        }
        return flags.contains(.hasSpeed) ? "with a measured speed" : "whose speed shows in many fixes"
    }

    private var vehicleLimit: String {
        let flags = decision.evidence.flags
        let usual = "\(Amount.whole(Limit.vehicularAccuracy)) m"
        let slow = "\(Amount.whole(Limit.slowVehicularAccuracy)) m"
        let coarse = "\(Amount.whole(Limit.mediumAccuracy)) m"
        if flags.contains(.gap) { return "below \(usual) is wanted after a silence." }
        if flags.contains(.hwVehicular) {
            return "below \(usual) is wanted, \(coarse) of dead reckoning and networks."
        }
        guard flags.contains(.hasSpeed) else {
            return "below \(coarse) is wanted without speed and course, \(slow) with a course alone."
        }
        if flags.contains(.hwStill) { return "below \(slow) is wanted when the receiver measures a standstill." }
        return "below \(usual) is wanted, \(slow) when the receiver measures less than "
            + "\(Amount.whole(Limit.virtuallyStopped)) m/s."
    }
}
