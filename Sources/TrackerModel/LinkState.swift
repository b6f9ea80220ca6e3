/// A way out of this host: the interface of the default route and what is known of it.
public struct LinkPath: Equatable, Sendable {
    /// As the kernel names it: `wwan0`.
    public var interface: String
    /// It costs money.
    public var isMetered: Bool
    /// 0…100; `nil` where nobody measures it.
    public var quality: Int?

    public init(_ interface: String, isMetered: Bool = false, quality: Int? = nil) {
        self.interface = interface
        self.isMetered = isMetered
        self.quality = quality
    }
}

/// Whether there is a way out (spec power §5).
public enum LinkState: Equatable, Sendable {
    case down
    /// A modem finds no network to register with.
    case noService
    /// A modem is about to.
    case registering
    case up(LinkPath)
    /// A way out by which the last exchanges never reached the endpoint.
    case captive(LinkPath)

    /// What an exchange would take; `nil` when there is nothing to take.
    public var path: LinkPath? {
        switch self {
        case .down, .noService, .registering: nil
        case .up(let path), .captive(let path): path
        }
    }

    /// Its name in status.
    public var name: String {
        switch self {
        case .down: "down"
        case .noService: "noService"
        case .registering: "registering"
        case .up: "up"
        case .captive: "captive"
        }
    }
}

/// What one source knows of the link at a moment; each says only what it can see.
public struct LinkReading: Equatable, Sendable {
    /// Interface of the default route; `nil`: there is none, or the source does not see routes.
    public var route: String?
    /// That interface has its carrier. Without one a route leads nowhere.
    public var hasCarrier: Bool
    /// `nil`: the source is no modem's, or it does not answer.
    public var modem: ModemReading?

    public init(route: String? = nil, hasCarrier: Bool = true, modem: ModemReading? = nil) {
        self.route = route
        self.hasCarrier = hasCarrier
        self.modem = modem
    }

    /// What this one does not see, as another source has it.
    public func completed(by other: LinkReading) -> LinkReading {
        var whole = route == nil ? other : self
        whole.modem = modem ?? other.modem
        return whole
    }
}

/// What a modem says of its network.
public struct ModemReading: Equatable, Sendable {
    public enum Service: String, Sendable {
        case none
        case registering
        case registered
    }

    public var service: Service
    /// The interface that it serves; `nil` when it does not know: then any that costs money.
    public var interface: String?
    /// 0…100.
    public var quality: Int?

    public init(_ service: Service, interface: String? = nil, quality: Int? = nil) {
        self.service = service
        self.interface = interface
        self.quality = quality.map { max(0, min($0, 100)) }
    }
}
