import Ports
import WireText

/// Hands lines to the clients that subscribed to a topic; clients that have gone are forgotten.
final class EventHub {
    enum Topic: String {
        /// Every fix of the receiver, whatever becomes of it, as a line of a recording.
        case fixes
        /// Samples of the accelerometer, as they were read together.
        case motion
        /// The receiver's bytes as they were read.
        case gnssRaw = "gnss.raw"
        /// What becomes of uploads.
        case sync
        /// What the tracker tells of itself (spec api §4), each under its own name.
        case events
        /// Stored points alone, as `location`.
        case points
    }

    private struct Subscription {
        var topic: Topic
        /// `nil`: of all sessions.
        var sessionID: String?
        var client: any ControlSubscriber
    }

    private var subscriptions: [Subscription] = []
    private var sequence: Int64 = 0

    /// A client that has the topic already gets each line once all the same; what it asks for now holds.
    /// - Parameter sessionID: only what belongs to that session.
    func subscribe(_ client: any ControlSubscriber, to topic: Topic, sessionID: String? = nil) {
        subscriptions.removeAll { $0.topic == topic && $0.client === client }
        subscriptions.append(Subscription(topic: topic, sessionID: sessionID, client: client))
    }

    /// Without subscribers nothing is made.
    /// - Parameters:
    ///   - name: of the event; `nil`: that of the topic.
    ///   - sessionID: that it belongs to.
    func publish(
        _ topic: Topic, _ name: String? = nil, of sessionID: String? = nil, atMillis: Int64, _ data: () -> JSONValue
    ) {
        subscriptions.removeAll { !$0.client.isOpen }
        let wanting = subscriptions.filter {
            $0.topic == topic && ($0.sessionID == nil || $0.sessionID == sessionID)
        }
        guard !wanting.isEmpty else { return }
        sequence += 1
        let line: JSONValue = [
            "event": .string(name ?? topic.rawValue), "seq": .int(sequence), "atMs": .int(atMillis), "data": data(),
        ]
        let bytes = line.bytes
        for subscription in wanting { subscription.client.push(bytes) }
    }
}
