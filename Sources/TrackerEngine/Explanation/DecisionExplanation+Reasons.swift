import TrackerModel

/// One sentence or two for each reason; the numbers of the rules are spec capture §8.2.
extension DecisionExplanation {
    private var isDevice: Bool { config.pipeline.ruleSet == .device }
    private var trust: String { "\(Amount.whole(config.pipeline.recoveryTrustM)) m" }
    private var confirm: String { "\(Amount.whole(Limit.confirm)) m" }
    private var net: String { decision.evidence.netMM.map(Amount.metres) ?? "an unknown distance" }
    private var beat: String { "\(Amount.whole(config.pipeline.heartbeatSeconds)) s" }
    private var implied: String { impliedKmh.map { "\(Amount.whole($0)) km/h" } ?? "any speed" }
    private var misfit: String {
        guard let offset = decision.evidence.offsetMM, let most = decision.evidence.thresholdMM else {
            return "outside the gate"
        }
        return "\(Amount.metres(offset)) from where the track was expected, with \(Amount.metres(most)) allowed"
    }

    var reason: String {
        switch decision.reason {
        case .initial:
            "It is the first point of the session"
                + (isDevice
                    ? ": within the trusted \(trust), or the best of \(InitialFix.budgetMillis / 1_000) s." : ".")
        case .initHeld:
            "The session has no point yet, and its radius is above the trusted \(trust): "
                + "for \(InitialFix.budgetMillis / 1_000) s a better one may come."
        case .burst: "A point was stored less than \(Amount.whole(Limit.burst)) s before."
        case .nlpFallback:
            "It has neither speed nor course, like a position from a network, and its radius is above "
                + "\(Amount.whole(Limit.networkAccuracy)) m; there was no drive within the last "
                + "\(Amount.whole(Limit.nlpBypassWindow / 60)) min that could have come this far."
        case .impossibleSpeed:
            "It would have had to come at \(implied); more than \(Amount.whole(Limit.sanityKmh)) km/h is not believed."
        case .poorAccuracy:
            "It claims movement, and for that the radius may be \(Amount.whole(config.pipeline.maxAccuracyM)) m at most."
        case .recoveryConfirmed, .recoveryReset, .recoveryHeld: recoveryReason
        case .sigmaGateOutlier, .sigmaForcedReset, .sigmaJunkFail: gateReason
        case .departureHeld, .driftSuppressed, .originSet: departureReason
        case .vehicular, .movingWalking, .bearingChange, .heuristicGate: movementReason
        case .arrival, .stationaryRecovery, .blackoutArrival, .walkArrival, .heartbeat, .heartbeatSkipped: restReason
        case .invalidCoordinates, .mockLocation, .staleFix, .timeUnresolved, .outOfOrder, .sessionClosed:
            boundaryReason
        }
    }

    private var recoveryReason: String {
        switch decision.reason {
        case .recoveryConfirmed:
            "After a silence a fix elsewhere was held; this one is within \(confirm) of it and its radius is below the "
                + "trusted \(trust). The track goes on from here."
        case .recoveryReset where (impliedKmh ?? 0) > Limit.sanityKmh:
            "It would have had to come at \(implied), but \(Limit.displacedCount) trusted fixes over "
                + "\(Amount.whole(Limit.displacedSpan)) s agree with each other. The track goes on from here."
        case .recoveryReset:
            "After \(silence) without a fix it is clearly elsewhere (\(Amount.whole(Limit.immediate)) m or more), and its "
                + "radius is below the trusted \(trust). The track goes on from here."
        default:
            // Only a fix that has passed the gate can be the one at rest.
            decision.evidence.thresholdMM == nil
                ? "After \(silence) without a fix it is elsewhere: held until another fix within \(confirm) and "
                    + "\(Amount.whole(Limit.hold)) s, with a radius below \(trust), confirms it."
                : "It stands still but is clearly elsewhere: held until a second fix within \(confirm) and "
                    + "\(Amount.whole(Limit.stationaryConfirm)) s agrees, so that one wild fix is no journey."
        }
    }

    private var silence: String { decision.evidence.silenceMillis.map(Amount.seconds) ?? "a while" }

    private var gateReason: String {
        switch (decision.reason, decision.verdict) {
        case (.sigmaForcedReset, .accept):
            "Too many fixes in a row did not fit (\(misfit)): it is the filter that is wrong, and it begins again here."
        case (.sigmaForcedReset, _):
            "Too many fixes in a row did not fit (\(misfit)): the filter begins again here. "
                + "Within \(Amount.whole(Limit.minimumMove)) m of the stored point no new one is needed."
        case (.sigmaJunkFail, _):
            "Too many fixes in a row did not fit (\(misfit)), but with a radius above "
                + "\(Amount.whole(Limit.vehicularAccuracy)) m this one is no new beginning."
        default:
            "It is \(misfit)" + (decision.evidence.sigmaMM.map { "; the prediction's σ is \(Amount.metres($0))" } ?? "")
                + "."
        }
    }

    private var departureReason: String {
        switch decision.reason {
        case .departureHeld:
            "It may be leaving: \(net) from the settled place. A departure is proven beyond "
                + "\(Amount.whole(Limit.persistenceSure)) m, or by two growing distances beyond "
                + "\(Amount.whole(Limit.persistenceMinimum)) m"
                + (isDevice ? " that are \(Amount.whole(Limit.countSpacing)) s apart." : ".")
        case .driftSuppressed:
            "At \(net) the distance from the settled place has not grown by \(Amount.whole(Limit.persistenceAdvance)) m"
                + (isDevice ? " for \(Amount.whole(Limit.stall)) s" : "")
                + ": drift, not a departure. The settled place is here now."
        default: "There was no settled place yet to measure a departure from; it is here now."
        }
    }

    private var movementReason: String {
        switch decision.reason {
        case .vehicular:
            "It drives, faster than \(Amount.whole(Limit.vehicular)) m/s, and is no farther than it could have come."
        case .movingWalking:
            "It moves, and is more than \(Amount.whole(Limit.minimumMove)) m away from the stored point or more than "
                + "\(Amount.whole(Limit.movingMinimum)) s after it."
        case .bearingChange:
            "Since the stored point the heading has turned by \(Amount.whole(config.pipeline.bearingChangeDeg))° or more."
        default: unwanted
        }
    }

    private var restReason: String {
        switch decision.reason {
        case .arrival:
            "The stored point was under way; now it stands still within \(Amount.whole(Limit.wobble)) m of it: an arrival."
        case .stationaryRecovery:
            "It stands still and is clearly elsewhere" + (isDevice ? ", and a second fix has confirmed it." : ".")
        case .blackoutArrival:
            "It moved while nothing was received, at \(implied) on average, and stands still now, more than "
                + "\(Amount.whole(Limit.wobble)) m away."
        case .walkArrival:
            "A short walk has ended: below \(Amount.whole(Limit.walk)) m/s and more than "
                + "\(Amount.whole(Limit.persistenceMinimum)) m from the settled place."
        case .heartbeat: "Nothing was stored for more than \(beat): a sign of life."
        default:
            "Nothing was stored for more than \(beat), and it is still there: the fix corrects the filter, and signs of life "
                + "are not stored (persistence of heartbeats is off)."
        }
    }

    private var boundaryReason: String {
        switch decision.reason {
        case .invalidCoordinates:
            decision.latitudeE7 == nil && decision.accuracyMM != nil
                ? "The position is none on Earth, or exactly 0, 0, which receivers send for none."
                : "Without a basis for its accuracy a fix cannot be judged."
        case .mockLocation: "It is simulated, entered by hand or spoofed, and such fixes are to be rejected."
        case .staleFix:
            "It was determined more than \(config.deliveryStalenessMillis / 1_000) s before it arrived."
        case .timeUnresolved: "The date is not known yet: no trusted UTC since the start."
        case .outOfOrder: "It is older than a fix that was judged before it."
        default: "It came after the session had ended."
        }
    }
}
