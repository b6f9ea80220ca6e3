public import Ports

/// Who publishes, and how.
public struct MQTTAccount: Equatable, Sendable {
    /// Of the broker's session; two clients with one id throw each other out.
    public var clientID: String
    /// For addresses that name none.
    public var topic: String
    /// With `mqtts`.
    public var tls: TLSFiles
    /// Seconds of silence after which the client asks the broker whether it is there.
    public var keepAliveSec = 60
    /// Seconds without a message after which the client says good-bye: a connection costs wake-ups and bytes, and after
    /// `sync configure` the old broker is not needed any more.
    public var idleLimitSec = 600

    public init(clientID: String, topic: String, tls: TLSFiles = TLSFiles()) {
        self.clientID = clientID
        self.topic = topic
        self.tls = tls
    }
}
