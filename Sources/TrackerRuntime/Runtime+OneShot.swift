import TrackerEngine
import TrackerModel
import WireText

/// `fix`: one position for a person or a program.
extension Runtime {
    /// What became of a request for one position.
    enum OneShotReply {
        case fix(TrackFix)
        case failed(ErrorCode, String)
    }

    /// Asks; `reply` is called once, at once or later.
    func requestFix(_ wish: OneShotRequest, reply: @escaping (OneShotReply) -> Void) {
        if let reason = power.machine.receiverHoldReason {
            return reply(.failed(.notReady, "the receiver is held: \(reason)"))
        }
        nextRequestID += 1
        var request = wish
        request.id = nextRequestID
        // A receiver that rests takes some time before it can begin (spec capture §4.3).
        if let machine = receiverPower?.machine, machine.isResting || machine.isSearching {
            request.timeoutMillis = (wish.timeoutMillis ?? config.capture.oneShotTimeoutMillis) + config.warmupMillis
        }
        oneShotReplies[request.id] = reply
        step(.oneShotRequested(request))
    }

    func answerOneShot(_ id: Int64, _ result: OneShotResult) {
        guard let reply = oneShotReplies.removeValue(forKey: id) else { return }
        switch result {
        case .fix(let fix): reply(.fix(fix))
        case .timeout: reply(.failed(.fixTimeout, "no usable fix in time: \(receiverInWords)"))
        case .busy: reply(.failed(.oneShotBusy, "another request is under way; wait for its answer"))
        case .circuitOpen:
            reply(
                .failed(
                    .oneShotCircuitOpen,
                    "three requests in a row found no fix; asking is of use again after the receiver speaks, after "
                        + "gnss reset, or in a new session: \(receiverInWords)"))
        case .refused(.mockLocation):
            reply(.failed(.fixRejected, "the receiver's fix is simulated or spoofed, and such fixes are refused"))
        case .refused(let reason):
            reply(.failed(.fixRejected, "the receiver's fix may not be used: \(reason.rawValue)"))
        }
    }

    /// The receiver's state for someone who waited in vain.
    private var receiverInWords: String {
        var parts = ["receiver \(receiver.state.rawValue)"]
        if let used = receiver.lastFix?.satellitesUsed { parts.append("\(used) satellites used in its last fix") }
        if let sky = receiver.sky?.view {
            parts.append("\(sky.satellites.count) in view")
            let best = sky.satellites.compactMap(\.cn0DBHz).sorted(by: >).prefix(4)
            if !best.isEmpty { parts.append("best C/N₀ \(best.map { "\($0)" }.joined(separator: ", ")) dB-Hz") }
        }
        if let antenna = receiver.health.antenna { parts.append("antenna \(antenna.rawValue)") }
        if let problem = receiver.problem { parts.append(problem) }
        return parts.joined(separator: ", ")
    }
}
