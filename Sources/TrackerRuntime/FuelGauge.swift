public import Ports
import TrackerEngine
public import TrackerModel

/// A MAX17048 behind its bus.
public final class FuelGauge: BatterySource {
    /// A gauge that may not be there is looked for as often as the battery is read at the start.
    private static let mostTries = 4

    private let bus: any RegisterBus
    private let isExpected: Bool
    private var isFound = false
    private var tries = 0
    public private(set) var problem: String?
    /// What its alert line is for; empty: nothing.
    private var alertPercents: [Int] = []
    private var alertFailure: BusFailure?

    /// - Parameter isExpected: false when it is only looked for: then its absence is no problem.
    public init(bus: any RegisterBus, isExpected: Bool) {
        self.bus = bus
        self.isExpected = isExpected
    }

    public var name: String { bus.name }
    public var isRealDevice: Bool { bus.isRealDevice }

    public func read() -> BatteryReading {
        guard isFound || isExpected || tries < Self.mostTries else { return .unknown }
        do throws(BusFailure) {
            if !isFound { try identify() }
            let cell = try bus.read(MAX17048.cellRegister, count: 4)
            let rate = try bus.read(MAX17048.rateRegister, count: 2)
            problem = nil
            let reading = MAX17048.reading(cell: cell, rate: rate)
            if let percent = reading.percent { setAlert(at: percent) }
            return reading
        } catch {
            if isFound || isExpected { problem = error.message }
            return .unknown
        }
    }

    public func alert(below percents: [Int]) {
        alertPercents = percents.filter(MAX17048.alertPercents.contains)
    }

    public var alertProblem: String? {
        isFound ? alertFailure.map { $0.message } : "no MAX17048 was found; see device-cli battery"
    }

    /// At the bar that is fallen past next; below all of them, at the lowest. It also ends an alert.
    private func setAlert(at percent: Int) {
        guard let next = alertPercents.filter({ $0 <= percent }).max() ?? alertPercents.min() else { return }
        do throws(BusFailure) {
            let present = try bus.read(MAX17048.configRegister, count: 2)
            if let wanted = MAX17048.config(present, alertingBelow: next) {
                try bus.write(MAX17048.configRegister, wanted)
            }
            alertFailure = nil
        } catch { alertFailure = error }
    }

    private func identify() throws(BusFailure) {
        tries += 1
        guard MAX17048.isVersion(try bus.read(MAX17048.versionRegister, count: 2)) else {
            throw BusFailure(
                code: .noAnswer, cause: "\(bus.name) is no MAX17048",
                remedy: "check power.gaugeBus and power.gaugeAddress, or set power.gauge: none")
        }
        isFound = true
    }
}
