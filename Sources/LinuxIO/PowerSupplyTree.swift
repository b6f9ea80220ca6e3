public import Ports
public import TrackerModel

/// The battery and the supplies as the kernel shows them (Linux Documentation/ABI/testing/sysfs-class-power).
public final class PowerSupplyTree: BatterySource {
    public let name: String

    /// - Parameter path: the directory with one entry a supply.
    public init(path: String = "/sys/class/power_supply") { name = path }

    public var isRealDevice: Bool { name.hasPrefix("/sys/") }

    /// The first battery by name that tells its charge or voltage, and what supply is online.
    public func read() -> BatteryReading {
        let supplies = DirectoryListing.names(name).map { "\(name)/\($0)" }
        var reading = supplies.lazy.compactMap(Self.battery).first ?? .unknown
        reading.supply = Self.source(supplies)
        return reading
    }

    /// `nil` for what is no battery of the board: another type, or the battery of a mouse (`scope` Device).
    private static func battery(_ supply: String) -> BatteryReading? {
        guard text(supply, "type") == "Battery", text(supply, "scope") != "Device" else { return nil }
        // A board that runs is not at 0 %: a gauge that says so has not measured yet (spec api §8).
        let percent = number(supply, "capacity").flatMap { (1...100).contains($0) ? Int($0) : nil }
        // voltage_now is in µV; up to 100 V is a battery.
        let voltage = number(supply, "voltage_now").map { $0 / 1_000 }.flatMap { (1...100_000).contains($0) ? $0 : nil }
        guard percent != nil || voltage != nil else { return nil }
        let charging = isCharging(supply)
        return BatteryReading(
            percent: percent, isCharging: charging, voltageMV: voltage, currentMA: current(supply, charging))
    }

    /// µA; up to 100 A is a current. Drivers disagree on its sign, so that the status has the say.
    private static func current(_ supply: String, _ isCharging: Bool?) -> Int64? {
        guard let current = number(supply, "current_now"), (-100_000_000...100_000_000).contains(current) else {
            return nil
        }
        let milliamperes = current / 1_000
        return isCharging.map { $0 ? abs(milliamperes) : -abs(milliamperes) } ?? milliamperes
    }

    private static func isCharging(_ supply: String) -> Bool? {
        switch text(supply, "status") {
        case "Charging", "Full": true
        case "Discharging", "Not charging": false
        default: nil
        }
    }

    /// `online` is 0 off, 1 on, 2 on with a negotiated voltage.
    private static func source(_ supplies: [String]) -> PowerSource {
        let found = supplies.compactMap { supply -> PowerSource? in
            guard let type = text(supply, "type"), type == "Mains" || type.hasPrefix("USB"),
                let online = number(supply, "online"), (0...2).contains(online)
            else { return nil }
            return online == 0 ? PowerSource.none : type == "Mains" ? .ac : .usb
        }
        return found.first { $0 != .none } ?? found.first ?? .unknown
    }

    private static func text(_ supply: String, _ attribute: String) -> String? {
        try? AtomicFile.firstLine(of: "\(supply)/\(attribute)")
    }

    private static func number(_ supply: String, _ attribute: String) -> Int64? {
        text(supply, attribute).flatMap { Int64($0) }
    }
}
