import Ports
import SyncEngine
import TrackerModel
import WireText

/// What the upload policy is told, and what it says.
extension Uploader {
    /// What of the tracker's state decides when to upload.
    struct Conditions {
        var isMoving: Bool
        var tier: PowerTier
        var isCharging: Bool
    }

    func hurry(_ urgency: UploadUrgency) { give(.urgent(urgency)) }

    /// Tier or motion are others now.
    func conditionsChanged() { give(.conditionsChanged) }

    var facts: SyncFacts {
        let summary = try? surroundings.store.queueSummary()
        let utc = surroundings.utcNow()
        let conditions = surroundings.conditions()
        let crossings = waitingCrossings
        let oldest = [summary?.oldest, crossings.first?.time].compactMap { $0 }.min()
        var facts = SyncFacts(
            wallTrust: surroundings.reactor.wall.trust, trustedNow: surroundings.trustedNow(),
            rows: summary.map { $0.pending + Int64(crossings.count) } ?? .max,
            oldestAgeMillis: oldest.map { utc.millis - $0.millis },
            sinceSentMillis: summary?.lastSent.map { utc.millis - $0.millis })
        facts.isMoving = conditions.isMoving
        facts.tier = conditions.tier
        facts.isCharging = conditions.isCharging
        facts.spentForMillis = record.spentForMillis(budget: config.dailyByteBudget, utc)
        return facts
    }

    /// For status: the answer, and why.
    var policyStatus: JSONValue {
        if machine.isDraining { return ["answer": "now", "text": "under way"] }
        let now = surroundings.reactor.now
        if !config.autoSync, machine.isConfigured, !machine.isHalted {
            return ["answer": "never", "text": "only the operator uploads (upload.autoSync)"]
        }
        return machine.answer(at: now, facts).json(at: now, surroundings.utcNow())
    }

    /// Why there is no way out.
    static func linkProblem(_ link: LinkState?) -> String {
        switch link {
        case .noService: "the modem finds no network"
        case .registering: "the modem is registering with its network"
        default: "there is no default route, or its interface has no carrier"
        }
    }
}
