import ModemControl
import Ports
import SyncEngine
import TrackerModel
import WireText

/// The link as the runtime knows it: asks its sources, hears what became of exchanges, and tells who listens.
final class LinkWatch {
    private let sources: [any LinkSource]
    private let keeper: ModemKeeper?
    private let reactor: any Reactor
    private var machine: LinkMachine
    private var lastExchange: (at: Instant, text: String)?
    /// Called after every look, and when exchanges changed the state.
    var onChange: (() -> Void)?

    /// - Parameter modem: another source; it hears of routes and exchanges, too.
    init(
        _ sources: [any LinkSource], modem: ModemKeeper? = nil, reactor: any Reactor,
        isMetered: @escaping @Sendable (String) -> Bool
    ) {
        self.sources = sources + [modem].compactMap { $0 }
        keeper = modem
        self.reactor = reactor
        machine = LinkMachine(isMetered: isMetered)
    }

    /// `nil`: there is none, or none was found yet.
    var modem: ModemKeeper? { keeper.flatMap { $0.isPresent ? $0 : nil } }

    /// `nil`: nobody watches the link here.
    var state: LinkState? { sources.isEmpty ? nil : machine.state }

    func start() {
        keeper?.start()
        for source in sources { source.watch { [weak self] in self?.look() } }
        look()
    }

    func stop() { for source in sources { source.close() } }

    /// What the sources say now.
    func look() {
        guard !sources.isEmpty else { return }
        let reading = sources.reduce(LinkReading()) { $0.completed(by: $1.reading) }
        if let modem {
            // Where nobody said which interface is the modem's, any way out is one that must not be mended.
            let route = reading.hasCarrier ? reading.route : nil
            let own = reading.modem?.interface
            modem.routeChanged(isUp: route.map { own == nil || own == $0 } ?? false)
        }
        machine.read(reading, at: reactor.now)
        onChange?()
    }

    /// - Parameter isSecure: certificates were checked: then whoever answered is the endpoint.
    func exchangeFinished(_ result: UplinkResult, isSecure: Bool) {
        let text: String
        let evidence: LinkMachine.Evidence?
        switch result {
        case .answered(let status, _, _, _):
            text = String(status)
            evidence = status == 511 || (!isSecure && (300..<400).contains(status)) ? .foreign : .reached
        case .failed(let failure):
            text = "failed: \(failure.code.rawValue)"
            evidence = failure.isAnswer ? .reached : self.evidence(failure.code)
        }
        lastExchange = (reactor.now, text)
        let before = machine.state
        if let evidence {
            machine.exchangeFinished(evidence, at: reactor.now)
            modem?.give(.exchanged(isAnswered: evidence == .reached))
        }
        if machine.state != before { onChange?() }
    }

    private func evidence(_ code: UplinkFailure.Code) -> LinkMachine.Evidence? {
        switch code {
        // With a clock that nobody holds, the endpoint's own certificate may be the one that is refused.
        case .tls: reactor.wall.trust == .disciplined ? .foreign : .unanswered
        case .name, .connect, .timeout, .cut: .unanswered
        // Nobody was asked.
        case .badRequest, .tlsFiles: nil
        }
    }

    /// For status; durations in seconds.
    var json: JSONObject {
        guard let state else { return ["state": "unwatched"] }
        var json: JSONObject = ["state": .string(state.name)]
        if let path = state.path {
            json["interface"] = .string(path.interface)
            json["metered"] = .bool(path.isMetered)
            json["quality"] = path.quality.map { .int(Int64($0)) }
        }
        json["sinceSec"] = machine.since.map { .fixed(max(0, reactor.now.millis(since: $0)), places: 3) }
        if let lastExchange {
            json["lastExchange"] = .string(lastExchange.text)
            json["lastExchangeAgeSec"] = .fixed(max(0, reactor.now.millis(since: lastExchange.at)), places: 3)
        }
        json["modem"] = modem.map { .object($0.json) }
        if modem == nil { json["noModem"] = keeper?.problem.map { .string($0) } }
        return json
    }
}
