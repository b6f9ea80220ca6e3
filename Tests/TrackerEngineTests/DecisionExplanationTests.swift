import Testing
import TrackerEngine
import TrackerModel

@Suite("Decisions in plain words")
struct DecisionExplanationTests {
    /// A fix 12 s after the stored point and 8.3 m from it, 8.1 m off where 231 m are allowed.
    private func decision(
        _ verdict: Verdict, _ reason: DecisionReason, _ change: (inout Decision) -> Void = { _ in }
    ) -> Decision {
        var decision = Decision(
            time: UTCTime(millis: 0), instant: .zero, latitudeE7: 1, longitudeE7: 1, accuracyMM: 4_500,
            verdict: verdict,
            reason: reason, distanceMM: 8_300, speedMMps: 200, motion: .moving)
        decision.evidence.elapsedMillis = 12_000
        decision.evidence.silenceMillis = 1_000
        decision.evidence.sigmaMM = 6_200
        decision.evidence.offsetMM = 8_100
        decision.evidence.thresholdMM = 231_400
        decision.evidence.flags = [.hwStill]
        change(&decision)
        return decision
    }

    private func words(
        _ verdict: Verdict, _ reason: DecisionReason, _ config: CaptureConfig = CaptureConfig(),
        _ change: (inout Decision) -> Void = { _ in }
    ) -> String {
        DecisionExplanation(decision(verdict, reason, change), config).text
    }

    @Test("The outcome comes first, then where the fix is, the gate, and why")
    func whole() {
        #expect(
            words(.reject, .heuristicGate)
                == "dropped (REJECT, Heuristic Gate). 12.0 s after the stored point and 8.3 m from it; accuracy radius "
                + "4.5 m; speed 0.2 m/s: standing still. The gate allows 231 m and the fix is 8.1 m off. Nothing asked "
                + "for a point: it has not just arrived, it is not clearly elsewhere (more than 150 m, or 100 m after a "
                + "silence), and a sign of life is due after 900 s.")
        #expect(words(.accept, .vehicular).hasPrefix("kept (ACCEPT, Vehicular). "))
        #expect(words(.skip, .departureHeld).hasPrefix("taken into account but not stored (SKIP, Departure Held). "))
    }

    @Test(
        "Every reason has words of its own, with the limits of its rule",
        arguments: [
            (.accept, .initial, "first point of the session: within the trusted 25 m, or the best of 30 s"),
            (.reject, .burst, "stored less than 0.5 s before"),
            (
                .reject, .nlpFallback,
                "neither speed nor course, like a position from a network, and its radius is above 25 m"
            ),
            (.reject, .impossibleSpeed, "come at 2.5 km/h; more than 140 km/h is not believed"),
            (.reject, .poorAccuracy, "the radius may be 30 m at most"),
            (.accept, .recoveryConfirmed, "within 60 m of it and its radius is below the trusted 25 m"),
            (.accept, .recoveryReset, "clearly elsewhere (150 m or more)"),
            (.skip, .recoveryHeld, "held until a second fix within 60 m and 300 s agrees"),
            (
                .reject, .sigmaGateOutlier,
                "It is 8.1 m from where the track was expected, with 231 m allowed; the prediction's"
            ),
            (.accept, .sigmaForcedReset, "it is the filter that is wrong, and it begins again here"),
            (.reject, .sigmaForcedReset, "Within 10 m of the stored point no new one is needed"),
            (.reject, .sigmaJunkFail, "a radius above 85 m"),
            (.accept, .vehicular, "faster than 3 m/s"),
            (.accept, .movingWalking, "more than 10 m away from the stored point or more than 50 s after it"),
            (.accept, .bearingChange, "turned by 40° or more"),
            (.accept, .arrival, "still within 40 m of it: an arrival"),
            (.accept, .stationaryRecovery, "clearly elsewhere, and a second fix has confirmed it"),
            (.accept, .blackoutArrival, "at 2.5 km/h on average, and stands still now, more than 40 m away"),
            (.accept, .walkArrival, "A short walk has ended: below 0.6 m/s and more than 40 m from the settled place"),
            (.accept, .heartbeat, "Nothing was stored for more than 900 s: a sign of life"),
            (.reject, .heuristicGate, "Nothing asked for a point"),
            (.skip, .originSet, "no settled place yet"),
            (.skip, .departureHeld, "proven beyond 100 m, or by two growing distances beyond 40 m that are 8 s apart"),
            (.skip, .driftSuppressed, "has not grown by 5 m for 45 s: drift"),
            (.skip, .heartbeatSkipped, "more than 900 s, and it is still there"),
            (.skip, .initHeld, "above the trusted 25 m: for 30 s a better one may come"),
            (.reject, .invalidCoordinates, "Without a basis for its accuracy"),
            (.reject, .mockLocation, "simulated, entered by hand or spoofed"),
            (.reject, .staleFix, "more than 60 s before it arrived"),
            (.reject, .timeUnresolved, "The date is not known yet"),
            (.reject, .outOfOrder, "older than a fix that was judged before"),
            (.reject, .sessionClosed, "after the session had ended"),
        ] as [(Verdict, DecisionReason, String)])
    func reasons(verdict: Verdict, reason: DecisionReason, part: String) {
        let text = words(verdict, reason)
        #expect(text.contains(part), "\(text)")
        let others = DecisionReason.allCases.filter { $0 != reason }
        #expect(others.allSatisfy { words(verdict, $0) != text })
    }

    @Test("No reason is without words")
    func complete() {
        for reason in DecisionReason.allCases { #expect(words(.accept, reason).count > 150 || reason == .burst) }
    }

    @Test("The limits are those of the configuration it was judged by")
    func configured() {
        var config = CaptureConfig()
        config.pipeline.maxAccuracyM = 60
        config.pipeline.recoveryTrustM = 40
        config.pipeline.bearingChangeDeg = 25
        config.pipeline.heartbeatSeconds = 300
        config.deliveryStalenessMillis = 5_000
        #expect(words(.reject, .poorAccuracy, config).contains("60 m at most"))
        #expect(words(.skip, .initHeld, config).contains("trusted 40 m"))
        #expect(words(.accept, .bearingChange, config).contains("25°"))
        #expect(words(.reject, .heuristicGate, config).contains("due after 300 s"))
        #expect(words(.reject, .staleFix, config).contains("more than 5 s"))
    }

    @Test("The reference's rules are told as they are there")
    func reference() {
        var config = CaptureConfig()
        config.pipeline.ruleSet = .reference
        #expect(words(.accept, .initial, config).hasSuffix("It is the first point of the session."))
        #expect(words(.skip, .driftSuppressed, config).contains("by 5 m: drift"))
        #expect(!words(.accept, .stationaryRecovery, config).contains("second fix"))
    }

    @Test("What no branch wanted is told by the branch the fix came to")
    func unwanted() {
        func gate(_ change: @escaping (inout Decision) -> Void) -> String {
            words(.reject, .heuristicGate, CaptureConfig(), change)
        }
        let far = gate {
            $0.speedMMps = 40_000
            $0.distanceMM = 800_000
            $0.evidence.flags = [.hasSpeed, .moving, .vehicular, .hwVehicular]
        }
        #expect(far.contains("speed 40.0 m/s: driving") && far.contains("at 45 m/s it could only have come 740 m"))
        func coarse(_ flags: DecisionFlags) -> String {
            gate {
                $0.speedMMps = 4_000
                $0.accuracyMM = 90_000
                $0.evidence.flags = flags.union([.moving, .vehicular])
            }
        }
        let start = "For a fix of a vehicle the accuracy radius is too wide: below "
        #expect(coarse([.hasSpeed, .hwVehicular]).contains(start + "85 m is wanted, 70 m of dead reckoning"))
        #expect(coarse([.hasSpeed, .hwStill]).contains(start + "50 m is wanted when the receiver measures a stand"))
        #expect(coarse([.hasSpeed]).contains(start + "85 m is wanted, 50 m when the receiver measures less than 2 m/s"))
        #expect(coarse([.hwStill]).contains(start + "70 m is wanted without speed and course"))
        #expect(coarse([.hwStill, .gap]).contains(start + "85 m is wanted after a silence"))
        let near = gate {
            $0.speedMMps = 2_500
            $0.evidence.flags = [.hasSpeed, .moving]
        }
        #expect(near.contains("moving") && near.contains("more than 10 m away or more than 50 s later"))
        func wide(_ flags: DecisionFlags) -> String {
            gate {
                $0.speedMMps = 2_500
                $0.distanceMM = 30_000
                $0.evidence.flags = flags.union(.moving)
            }
        }
        #expect(wide(.hasSpeed).contains("with a measured speed the accuracy radius is too wide: below 70 m"))
        #expect(wide(.hwStill).contains("without a measured speed the accuracy radius is too wide: below 40 m"))
        #expect(wide([.hasSpeed, .hwStill]).contains("that of standing the accuracy radius is too wide: below 40 m"))
        #expect(wide([]).contains("whose speed shows in many fixes the accuracy radius is too wide: below 70 m"))
    }

    @Test("A recovery says what brought it: silence, credible successors, or a second look at rest")
    func recoveries() {
        let silent = words(.skip, .recoveryHeld) {
            $0.evidence.thresholdMM = nil
            $0.evidence.silenceMillis = 130_000
            $0.evidence.flags = [.gap, .hwStill]
        }
        #expect(silent.contains("before it 130 s without a fix") && silent.contains("within 60 m and 120 s"))
        let displaced = words(.accept, .recoveryReset) { $0.distanceMM = 90_000_000 }
        #expect(displaced.contains("90.0 km from it") && displaced.contains("3 trusted fixes over 30 s agree"))
    }

    @Test(
        "Vetoes and bypasses are told",
        arguments: [
            (DecisionFlags.stepVeto, "No step was counted"), (.accelVeto, "accelerometer is at rest"),
            (.stillVeto, "lay still all the time"), (.liftSuppressed, "A lift is moving"),
            (.nlpBypass, "within the last 10 min"), (.turning, "in a turn"),
        ])
    func flags(flag: DecisionFlags, part: String) {
        let text = words(.reject, .heuristicGate) {
            $0.evidence.flags = flag
        }
        #expect(text.contains(part) && text.contains("standing still"))
    }

    @Test("Quantities of every size are told without overflow")
    func amounts() {
        for value in [Int64.min, -1, 0, 49, 50, 99_949, 99_950, 9_999_499, 10_000_000, .max] {
            let text = words(.reject, .heuristicGate) {
                $0.distanceMM = value
                $0.accuracyMM = value
                $0.speedMMps = value
                $0.evidence.elapsedMillis = value
            }
            #expect(text.hasPrefix("dropped"))
        }
        #expect(words(.reject, .burst) { $0.distanceMM = 99_950 }.contains("and 100.0 m from"))
        #expect(words(.reject, .burst) { $0.distanceMM = 12_449_999 }.contains("and 12.4 km from"))
        #expect(words(.reject, .burst) { $0.evidence.elapsedMillis = 7_200_000 }.contains("2.0 h after"))
    }
}
