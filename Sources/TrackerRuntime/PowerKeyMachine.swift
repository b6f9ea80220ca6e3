import TrackerModel

/// Presses the power key of a modem and waits for its status line. Pure: orders, times and levels in, key levels out.
///
/// A key toggles, so it is pressed only when the modem is not as it is wanted; without a status line that is what was done
/// last, and off at the start.
struct PowerKeyMachine {
    enum Action: Equatable {
        case key(Bool)
        /// What went wrong and what to do.
        case failed(String)
    }

    private enum Step {
        case on
        case off
        case rest
    }

    private enum Phase: Equatable {
        case idle
        case pressed(until: Instant, turnsOn: Bool)
        case awaiting(until: Instant, turnsOn: Bool)
        case dark(until: Instant)
    }

    /// Power ≤ 10 s (spec power §5); a modem takes its leave of the network before it goes off, which some do in 30 s.
    static let onLimitMillis: Int64 = 10_000
    static let offLimitMillis: Int64 = 30_000
    /// Capacitors of a supply hold a modem for a second or two.
    static let darkMillis: Int64 = 5_000

    /// The key is down for this long (`link.powerKeyMs`).
    let pulseMillis: Int64
    private var steps: [Step] = []
    private var phase = Phase.idle
    private var isOn = false

    init(pulseMillis: Int64) { self.pulseMillis = pulseMillis }

    mutating func switchOn() { steps.append(.on) }
    mutating func switchOff() { steps.append(.off) }
    mutating func cycle() { steps += [.off, .rest, .on] }

    /// When to call `advance`; it is also to be called when the status line changes.
    var deadline: Instant {
        switch phase {
        case .idle: .never
        case .pressed(let until, _), .awaiting(let until, _), .dark(let until): until
        }
    }

    /// - Parameter status: the level of the status line, `nil` when none is wired.
    mutating func advance(to now: Instant, status: Bool?) -> [Action] {
        var actions: [Action] = []
        while true {
            switch phase {
            case .idle:
                guard !steps.isEmpty else { return actions }
                begin(steps.removeFirst(), now, status, &actions)
            case .pressed(let until, let turnsOn):
                guard now >= until else { return actions }
                actions.append(.key(false))
                isOn = turnsOn
                let limit = turnsOn ? Self.onLimitMillis : Self.offLimitMillis
                phase = status == nil ? .idle : .awaiting(until: now.advanced(byMillis: limit), turnsOn: turnsOn)
            case .awaiting(let until, let turnsOn):
                if status == turnsOn {
                    phase = .idle
                } else if now >= until {
                    // What was to follow is not done: a modem that did not go off is not switched on.
                    steps = []
                    phase = .idle
                    actions.append(.failed(Self.refusal(turnsOn: turnsOn)))
                } else {
                    return actions
                }
            case .dark(let until):
                guard now >= until else { return actions }
                phase = .idle
            }
        }
    }

    private mutating func begin(_ step: Step, _ now: Instant, _ status: Bool?, _ actions: inout [Action]) {
        switch step {
        case .rest: phase = .dark(until: now.advanced(byMillis: Self.darkMillis))
        case .on, .off:
            let turnsOn = step == .on
            guard (status ?? isOn) != turnsOn else { return }
            actions.append(.key(true))
            phase = .pressed(until: now.advanced(byMillis: pulseMillis), turnsOn: turnsOn)
        }
    }

    private static func refusal(turnsOn: Bool) -> String {
        turnsOn
            ? "the modem's status line does not tell within 10 s that it is on; check link.powerKeyLine, the length of the "
                + "pulse (link.powerKeyMs) and the modem's supply"
            : "the modem's status line does not tell within 30 s that it is off; check link.powerKeyLine and the length of "
                + "the pulse (link.powerKeyMs)"
    }
}
