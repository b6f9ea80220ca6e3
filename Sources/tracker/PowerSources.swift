import LinuxIO
import Ports
import TrackerEngine
import TrackerModel
import TrackerRuntime
import WireText

/// What tells of the battery, as the configuration names it.
struct PowerSources {
    let supply: PowerSupplyTree
    let gauge: FuelGauge?
    let sense: PiSupplySense
    private let lowPercent: Int

    /// - Parameter isScaled: the clock is not the real one; then a real gauge is not looked for.
    init(_ config: TrackerConfig, isScaled: Bool) {
        supply = PowerSupplyTree(path: config.supplyPath)
        sense = PiSupplySense(hwmonPath: config.hwmonPath)
        lowPercent = config.power.lowPercent
        let address = UInt8(config.gaugeAddress)
        let bus = Daemon.registerBus(config.gaugeBus, address: address)
        let isWanted = config.gauge == .max17048 || config.gauge == .auto && !(isScaled && bus.isRealDevice)
        gauge = isWanted ? FuelGauge(bus: bus, isExpected: config.gauge == .max17048) : nil
    }

    /// Nothing here is simulated, so that what it says may end the host's run.
    var isReal: Bool { supply.isRealDevice && gauge?.isRealDevice != false }

    /// One look, without a daemon.
    func look() -> JSONValue {
        var machine = BatteryMachine()
        let sources: [any BatterySource] = [supply] + (gauge.map { [$0] } ?? [])
        machine.take(sources.map { $0.read() }, isUnderVoltage: sense.isUnderVoltage(), at: .zero)
        let problem = sources.lazy.compactMap(\.problem).first
        return .object(PowerPage.battery(machine.reading, lowPercent: lowPercent, problem: problem))
    }
}
