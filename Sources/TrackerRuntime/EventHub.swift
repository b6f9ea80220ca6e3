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
    }

    private var subscribers: [(topic: Topic, client: any ControlSubscriber)] = []
    private var sequence: Int64 = 0

    /// A client that has the topic already gets each line once all the same.
    func subscribe(_ client: any ControlSubscriber, to topic: Topic) {
        guard !subscribers.contains(where: { $0.topic == topic && $0.client === client }) else { return }
        subscribers.append((topic, client))
    }

    /// Without subscribers nothing is made.
    func publish(_ topic: Topic, atMillis: Int64, _ data: () -> JSONValue) {
        subscribers.removeAll { !$0.client.isOpen }
        guard subscribers.contains(where: { $0.topic == topic }) else { return }
        sequence += 1
        let line: JSONValue = [
            "event": .string(topic.rawValue), "seq": .int(sequence), "atMs": .int(atMillis), "data": data(),
        ]
        let bytes = line.bytes
        for subscriber in subscribers where subscriber.topic == topic { subscriber.client.push(bytes) }
    }
}
