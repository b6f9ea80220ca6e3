import Ports
import TrackerEngine
import TrackerModel
import WireText

/// The energy ledger with what it is fed from, and where it is kept.
final class EnergyAccount {
    /// Written this often at most: what a power cut takes is that much of an estimate.
    private static let saveMillis: Int64 = 900_000

    private let ports: RuntimePorts
    private let date: () -> String?
    private(set) var ledger: EnergyLedger
    private var counted: (wakeUps: Int64, switches: Int64, cpuMillis: Int64)
    /// Since the start.
    private(set) var contextSwitches: Int64 = 0
    private var savedAt: Instant
    /// An exchange is under way.
    private var exchanges = 0

    /// - Parameter date: of now in the device's zone; `nil` while nobody knows it.
    init(_ model: EnergyModel, _ ports: RuntimePorts, date: @escaping () -> String?) {
        self.ports = ports
        self.date = date
        let now = ports.reactor.now
        savedAt = now
        let saved = (try? ports.store.state(.energy)).flatMap { $0 }.flatMap(EnergyDay.days(text:)) ?? []
        ledger = EnergyLedger(model, saved: saved, at: now)
        counted = (ports.load?.wakeUps ?? 0, ports.load?.contextSwitches ?? 0, ports.load?.cpuMillis ?? 0)
    }

    private var now: Instant { ports.reactor.now }

    func receiver(_ state: ReceiverPowerState) {
        if state != ledger.receiver { ledger.receiverIs(state, at: now) }
    }

    func accelerometer(_ state: AccelerometerPowerState) {
        if state != ledger.accelerometer { ledger.accelerometerIs(state, at: now) }
    }

    /// A modem that may not send is taken for one that is off.
    func modemMayRun(_ mayRun: Bool) {
        if mayRun != (ledger.modem != .off) { ledger.modemIs(mayRun ? .idle : .off, at: now) }
    }

    func exchange(_ begins: Bool) {
        exchanges = max(0, exchanges + (begins ? 1 : -1))
        ledger.modemIs(exchanges > 0 ? .active : .tail, at: now)
    }

    /// Counts up to now, the process's own work included.
    func settle() {
        if let load = ports.load {
            let fresh = (wakeUps: load.wakeUps, switches: load.contextSwitches, cpuMillis: load.cpuMillis)
            ledger.worked(
                wakeUps: fresh.wakeUps - counted.wakeUps, cpuMillis: fresh.cpuMillis - counted.cpuMillis, at: now)
            contextSwitches += max(0, fresh.switches - counted.switches)
            counted = fresh
        }
        ledger.settle(at: now, date: date())
    }

    /// The health tick's turn.
    func check() {
        settle()
        if now.millis(since: savedAt) >= Self.saveMillis { save() }
    }

    func save() {
        settle()
        savedAt = now
        try? ports.store.setState(.energy, EnergyDay.text(ledger.days))
    }

    /// Of this run, an hour; `nil` right after the start.
    func hourly(_ count: Int64) -> Int64? {
        let millis = ledger.run.millis
        return millis >= 1_000 ? count * 3_600_000 / millis : nil
    }
}

extension EnergyUse {
    /// Millijoules by consumer, and what the host was made to do.
    var json: JSONObject {
        func millijoules(_ nanojoules: Int64) -> JSONValue { .int(nanojoules / 1_000_000) }
        return [
            "receiverMj": millijoules(receiverNanojoules), "accelerometerMj": millijoules(accelerometerNanojoules),
            "modemMj": millijoules(modemNanojoules), "hostBaseMj": millijoules(baseNanojoules),
            "hostWorkMj": millijoules(workNanojoules), "totalMj": millijoules(totalNanojoules),
            "seconds": .int(millis / 1_000), "wakeUps": .int(wakeUps), "cpuMs": .int(cpuMillis),
        ]
    }
}

extension EnergyDay {
    var json: JSONObject {
        var object: JSONObject = ["date": .string(date ?? "unknown")]
        object.merge(use.json)
        return object
    }

    /// One day a line: date or `-`, then the fields of its use.
    static func text(_ days: [EnergyDay]) -> String {
        days.map { day in
            let use = day.use
            let numbers = [
                use.receiverNanojoules, use.accelerometerNanojoules, use.modemNanojoules, use.baseNanojoules,
                use.workNanojoules, use.millis, use.wakeUps, use.cpuMillis,
            ]
            return ([day.date ?? "-"] + numbers.map(String.init)).joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// Lines of another form are left out.
    static func days(text: String) -> [EnergyDay] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            let numbers = words.dropFirst().compactMap { Int64($0) }
            guard words.count == 9, numbers.count == 8, numbers.allSatisfy({ (0..<1 << 60).contains($0) }) else {
                return nil
            }
            var use = EnergyUse()
            use.receiverNanojoules = numbers[0]
            use.accelerometerNanojoules = numbers[1]
            use.modemNanojoules = numbers[2]
            use.baseNanojoules = numbers[3]
            use.workNanojoules = numbers[4]
            use.millis = numbers[5]
            use.wakeUps = numbers[6]
            use.cpuMillis = numbers[7]
            return EnergyDay(date: words[0] == "-" ? nil : words[0], use: use)
        }
    }
}
