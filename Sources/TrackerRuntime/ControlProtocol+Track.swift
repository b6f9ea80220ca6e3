import Ports
import TrackerModel
import WireText

/// What an operator can ask of points and sessions, and hand in (spec api §2).
enum TrackOperation: String, CaseIterable {
    case points = "getPoints"
    case count = "getCount"
    case follow = "observePoints"
    case sessions = "getSessions"
    case current = "currentSession"
    case session = "getSession"
    case delete = "deleteSession"
    case resetOdometer
    case offer = "offerFix"
    case config = "getConfig"

    var arguments: [String] {
        switch self {
        case .points: ["sessionID", "fromMs", "toMs", "limit", "offset", "afterID"]
        case .count: ["sessionID", "fromMs", "toMs"]
        case .follow: ["sessionID", "fromMs", "limit"]
        case .sessions: ["fromMs", "toMs", "limit", "offset"]
        case .session: ["id"]
        case .delete: ["id", "force"]
        case .offer: Runtime.fixArguments
        case .current, .resetOdometer, .config: []
        }
    }
}

extension ControlProtocol {
    func track(
        _ operation: TrackOperation, _ arguments: JSONObject, _ id: JSONValue?, _ asked: ControlRequest
    ) -> JSONValue {
        if let unknown = arguments.names.first(where: { !operation.arguments.contains($0) }) {
            return Self.refusal(id, .invalidRequest, "\(operation.rawValue) takes no argument '\(unknown)'")
        }
        let answer =
            switch operation {
            case .points: runtime.pointsPage(arguments)
            case .count: runtime.pointCount(arguments)
            case .follow: runtime.followPoints(arguments, asked.subscriber)
            case .sessions: runtime.sessionsPage(arguments)
            case .current: runtime.oneSession([:])
            case .session: runtime.oneSession(arguments)
            case .delete: runtime.deleteSession(arguments, mayLosePoints: isPrivileged(asked.peer))
            case .resetOdometer: runtime.resetOdometer()
            case .offer: runtime.offerFix(arguments)
            case .config: OperationAnswer.done(runtime.effectiveConfig)
            }
        return Self.answer(id, answer)
    }

    /// Credentials and lost points are a matter of root and the service user (spec api §1).
    func isPrivileged(_ peer: ControlPeer) -> Bool { peer.userID == 0 || peer.userID == runtime.host.userID }
}
