public import TrackerModel

/// Why a fix was kept or dropped, in plain words, with the numbers of the stage that decided beside their limits.
///
/// For the operator: `tracker replay --explain N` and `device-cli decisions --explain ID`. The numbers are those that the
/// decision was stored with; the limits are those of the rules and of the configuration given here.
public struct DecisionExplanation {
    let decision: Decision
    let config: CaptureConfig
    typealias Limit = PipelineLimit

    /// - Parameter config: by which the fix was judged.
    public init(_ decision: Decision, _ config: CaptureConfig) {
        self.decision = decision
        self.config = config
    }

    /// Sentences on one line, the outcome first: `dropped (REJECT, Heuristic Gate). 12.0 s after …`.
    public var text: String {
        ["\(outcome) (\(decision.verdict.rawValue), \(decision.reason.rawValue)).", situation, gate, reason, notes]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    private var outcome: String {
        switch decision.verdict {
        case .accept: "kept"
        case .skip: "taken into account but not stored"
        case .reject: "dropped"
        }
    }

    /// Where and when the fix is, as far as it was looked at.
    private var situation: String {
        var parts: [String] = []
        switch (decision.evidence.elapsedMillis, decision.distanceMM) {
        case (let elapsed?, let distance?):
            parts.append("\(Amount.seconds(elapsed)) after the stored point and \(Amount.metres(distance)) from it")
        case (let elapsed?, nil): parts.append("\(Amount.seconds(elapsed)) after the stored point")
        case (nil, let distance?): parts.append("\(Amount.metres(distance)) from the stored point")
        case (nil, nil): break
        }
        if let accuracy = decision.accuracyMM { parts.append("accuracy radius \(Amount.metres(accuracy))") }
        if let speed = decision.speedMMps { parts.append("speed \(Amount.speed(speed)): \(movement.words)") }
        if decision.evidence.flags.contains(.gap), let silence = decision.evidence.silenceMillis {
            parts.append("before it \(Amount.seconds(silence)) without a fix")
        }
        guard var text = parts.first else { return "" }
        for part in parts.dropFirst() { text += "; " + part }
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    /// Of a fix that passed the gate; the stages of the gate say it themselves.
    private var gate: String {
        guard let offset = decision.evidence.offsetMM, let threshold = decision.evidence.thresholdMM,
            offset <= threshold
        else { return "" }
        return "The gate allows \(Amount.metres(threshold)) and the fix is \(Amount.metres(offset)) off."
    }

    /// What else was weighed.
    private var notes: String {
        let flags = decision.evidence.flags
        var notes: [String] = []
        if flags.contains(.stepVeto) {
            notes.append("No step was counted since the stored point, so that it does not count as movement.")
        }
        if flags.contains(.accelVeto) {
            notes.append("The accelerometer is at rest, so that it does not count as movement.")
        }
        if flags.contains(.stillVeto) {
            notes.append(
                "The accelerometer lay still all the time since the stored point: whatever the distance, it did not move."
            )
        }
        if flags.contains(.liftSuppressed) {
            notes.append("A lift is moving, so that steps and stillness say nothing.")
        }
        if flags.contains(.nlpBypass) {
            notes.append(
                "It is coarse, but a vehicle drove within the last \(Amount.whole(Limit.nlpBypassWindow / 60)) min and could have come this far."
            )
        }
        if flags.contains(.turning) { notes.append("It is in a turn, which the filter follows at once.") }
        return notes.joined(separator: " ")
    }
}
