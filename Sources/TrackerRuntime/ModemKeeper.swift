import ModemControl
import Ports
import TrackerModel
import WireText

/// Keeps a cellular modem for the uploader: does what `ModemMachine` says, with its command port or the program that owns
/// it, and with its power, and tells what it finds as a source of the link.
final class ModemKeeper: LinkSource {
    /// What a modem on USB or a UART of its own runs at; USB does not care.
    private static let baud = 115_200

    /// How the modem is reached.
    enum Access {
        case port(any ByteStream)
        case owner(any ModemOwner)
    }

    private let access: Access
    private let power: (any ModemPower)?
    private let reactor: any Reactor
    private let store: any TrackStore
    private let log: any LogSink
    /// What its route is over; empty: not known, then any link that costs money.
    private let interface: String
    private var machine: ModemMachine
    private var changed: (() -> Void)?
    private let alarm: Alarm
    private var events: [ModemEvent] = []
    private var isHandling = false
    /// Why the port could not be opened, or how the last order to the power switch failed.
    private var ownProblem: String?
    /// What was logged of its owner.
    private var ownersProblem: String?
    /// There is one as far as anybody knows: its port is named, its power is ours, or its owner had it once.
    private(set) var isPresent: Bool

    init(
        access: Access, power: (any ModemPower)?, interface: String, reactor: any Reactor,
        store: any TrackStore, log: any LogSink
    ) {
        self.access = access
        self.power = power
        self.interface = interface
        self.reactor = reactor
        alarm = Alarm(reactor)
        self.store = store
        self.log = log
        let earlier = (try? store.state(.modem)) ?? nil
        machine = ModemMachine(
            ModemConfig(hasPowerControl: power != nil, isOwned: access.owner != nil),
            powerCycledAt: Self.instants(earlier, wall: reactor.wall.time, now: reactor.now), at: reactor.now)
        isPresent = power != nil || access.owner == nil
        power?.onFailure = { [weak self] text in
            self?.ownProblem = text
            log.write(.error, "modem.power", [("problem", .text(text))])
        }
    }

    var report: ModemReport { machine.report }
    /// Its power is ours to switch.
    var isSwitched: Bool { power != nil }
    /// It was switched on and has no route yet.
    var isComingUp: Bool { isSwitched && machine.isWanted && !machine.isRouteUp }

    var problem: String? { access.owner?.problem ?? ownProblem }

    var reading: LinkReading {
        guard isPresent else { return LinkReading() }
        let report = machine.report
        let service: ModemReading.Service =
            switch report.stage {
            case .off, .starting, .sim: .none
            case .registering: report.fault == nil ? .registering : .none
            case .routing, .up: .registered
            }
        return LinkReading(
            modem: ModemReading(service, interface: interface.isEmpty ? nil : interface, quality: report.quality))
    }

    /// One that nobody here switches is watched from the start; one that is switched, when somebody wants it.
    /// An earlier run may have left that one on.
    func start() {
        access.owner?.watch { [weak self] in self?.told() }
        if let power { power.switchOff() } else if isPresent { give(.wanted(true)) }
    }

    /// Whether the uploader has something that is worth a radio session; one that is off is not for what can go another
    /// way.
    func want(_ isWanted: Bool, hasRoute: Bool) {
        let isWanted = isWanted && (machine.isWanted || !hasRoute)
        if isSwitched, isWanted != machine.isWanted { give(.wanted(isWanted)) }
    }

    func routeChanged(isUp: Bool) { if isUp != machine.isRouteUp { give(.routeChanged(isUp: isUp)) } }

    func watch(_ changed: @escaping () -> Void) { self.changed = changed }

    /// A modem that was switched on for the uploader is switched off: the next start would find it so.
    func close() {
        changed = nil
        alarm.cancel()
        access.port?.close()
        power?.close(isOn: machine.report.stage != .off)
        access.owner?.close()
    }

    /// Of an owner: what it has may be the first that is heard of a modem.
    private func told() {
        guard let owner = access.owner else { return }
        if !isPresent, owner.modem != nil {
            isPresent = true
            give(.wanted(true))
        }
        note(owner.problem)
        give(.told(owner.modem))
    }

    /// Of a host without a modem there is nothing to be logged.
    private func note(_ problem: String?) {
        guard isPresent, problem != ownersProblem else { return }
        ownersProblem = problem
        if let problem { log.write(.warning, "modem.owner", [("problem", .text(problem))]) }
    }

    /// What comes of one event is done before the next is looked at.
    func give(_ event: ModemEvent) {
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        while !events.isEmpty { machine.handle(events.removeFirst(), at: reactor.now).forEach(perform) }
        isHandling = false
    }

    private func perform(_ action: ModemAction) {
        switch action {
        case .powerOn: order { $0.switchOn() }
        case .powerOff: order { $0.switchOff() }
        case .powerCycle:
            order { $0.cycle() }
            remember()
        case .openPort: openPort()
        case .closePort: access.port?.close()
        case .write(let bytes): write(bytes)
        case .reconnect: access.owner?.reconnect()
        case .reset: access.owner?.reset()
        case .changed: changed?()
        case .escalated(let remedy):
            log.write(
                .warning, "modem.\(remedy.rawValue)",
                [
                    ("stage", .text(report.stage.rawValue)), ("fault", .text(report.fault?.rawValue ?? "routeLost")),
                    ("power_cycles_today", .int(Int64(report.powerCycles))),
                ])
        case .wake(let deadline):
            alarm.set(at: deadline, toleranceMillis: 500) { [weak self] in self?.give(.timerFired) }
        }
    }

    /// How an earlier one failed is over.
    private func order(_ give: (any ModemPower) -> Void) {
        ownProblem = nil
        power.map(give)
    }

    private func openPort() {
        guard let port = access.port else { return }
        do throws(ByteStreamFailure) {
            try port.open(baud: Self.baud) { [weak self] event in self?.streamed(event) }
            ownProblem = nil
            events.append(.portOpened)
        } catch {
            ownProblem = error.message
            events.append(.portLost)
        }
    }

    private func streamed(_ event: ByteStreamEvent) {
        switch event {
        case .bytes(let bytes): give(.received(bytes))
        case .lost(let failure):
            ownProblem = failure.message
            give(.portLost)
        }
    }

    private func write(_ bytes: [UInt8]) {
        guard let port = access.port else { return }
        do throws(ByteStreamFailure) { try port.write(bytes) } catch {
            ownProblem = error.message
            port.close()
            events.append(.portLost)
        }
    }

    /// For status; durations in seconds.
    var json: JSONObject {
        let report = machine.report
        var json: JSONObject = [
            "stage": .string(report.stage.rawValue),
            "sinceSec": .fixed(max(0, reactor.now.millis(since: report.since)), places: 3),
            "powerCyclesToday": .int(Int64(report.powerCycles)),
        ]
        json["sim"] = report.sim.map { .string($0.rawValue) }
        json["registration"] = report.registration.map { .string($0.rawValue) }
        json["network"] = report.network.map { .string($0) }
        json["technology"] = report.technology.map { .string($0) }
        json["owner"] = access.owner.map { _ in "ModemManager" }
        json["quality"] = report.quality.map { .int(Int64($0)) }
        json["lastRemedy"] = report.remedy.map { .string($0.rawValue) }
        if let fault = report.fault {
            json["fault"] = .string(fault.rawValue)
            json["remedy"] = .string(fault.remedy)
        }
        json["problem"] = problem.map { .string($0) }
        return json
    }

    /// The wall clock's times of the power cycles, so that the day's limit holds over restarts.
    private func remember() {
        let now = reactor.now
        let times = machine.powerCycledAt.map { at in
            String(reactor.wall.time.advanced(byMillis: at.millis(since: now)).millis)
        }
        try? store.setState(.modem, times.joined(separator: " "))
    }

    /// A time ahead of the wall clock counts as now: a clock that was set back must not lift the limit.
    private static func instants(_ text: String?, wall: UTCTime, now: Instant) -> [Instant] {
        (text ?? "").split(separator: " ").compactMap { Int64($0) }.map { millis in
            now.advanced(byMillis: min(0, millis - wall.millis))
        }
    }
}

extension ModemKeeper.Access {
    fileprivate var port: (any ByteStream)? { if case .port(let port) = self { port } else { nil } }
    fileprivate var owner: (any ModemOwner)? { if case .owner(let owner) = self { owner } else { nil } }
}
