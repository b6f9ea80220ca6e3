public import TrackerModel

/// What the link is, from what its sources say and from what became of the exchanges over it (spec power §5).
public struct LinkMachine: Sendable {
    /// What an exchange says of the way to the endpoint.
    public enum Evidence: Equatable, Sendable {
        /// The endpoint answered, whatever it said.
        case reached
        /// Nobody did.
        case unanswered
        /// Somebody else did: a certificate that is not the endpoint's, a redirect of cleartext HTTP, a 511 (RFC 6585 §6).
        case foreign
    }

    /// So many exchanges in a row without an answer while one route stands: the number after which a modem is dealt
    /// with (spec power §5, escalation).
    static let unansweredLimit = 3

    private let isMetered: @Sendable (String) -> Bool
    private var reading = LinkReading()
    private var unanswered = 0
    public private(set) var state = LinkState.down
    /// When it became what it is, quality aside; `nil` before the first reading.
    public private(set) var since: Instant?

    /// - Parameter isMetered: of an interface, as the configuration says.
    public init(isMetered: @escaping @Sendable (String) -> Bool) { self.isMetered = isMetered }

    /// What all sources together say now.
    public mutating func read(_ reading: LinkReading, at now: Instant) {
        if reading.route != self.reading.route || !reading.hasCarrier { unanswered = 0 }
        self.reading = reading
        settle(now)
    }

    public mutating func exchangeFinished(_ evidence: Evidence, at now: Instant) {
        switch evidence {
        case .reached: unanswered = 0
        case .unanswered: unanswered = min(unanswered + 1, Self.unansweredLimit)
        case .foreign: unanswered = Self.unansweredLimit
        }
        settle(now)
    }

    private mutating func settle(_ now: Instant) {
        let new = present
        if since == nil || new.name != state.name || new.path?.interface != state.path?.interface { since = now }
        state = new
    }

    private var present: LinkState {
        guard let path else {
            switch reading.modem?.service {
            case .some(.none): return .noService
            case .registering: return .registering
            case .registered, nil: return .down
            }
        }
        return unanswered >= Self.unansweredLimit ? .captive(path) : .up(path)
    }

    private var path: LinkPath? {
        guard let interface = reading.route, reading.hasCarrier else { return nil }
        let metered = isMetered(interface)
        let isModems = reading.modem?.interface.map { $0 == interface } ?? metered
        return LinkPath(interface, isMetered: metered, quality: isModems ? reading.modem?.quality : nil)
    }
}
