public import TrackerModel

/// A lithium cell with what draws from it and what charges it. Its voltage falls with its charge, and sags under load by
/// the resistance of cell, cable and regulator (F-65).
public struct SimulatedBattery: Equatable, Sendable {
    public let capacityMilliwattHours: Double
    /// What is left.
    public private(set) var milliwattHours: Double
    /// Of the cell, its cable and its regulator together: a modem's 1.6 W on a flat cell then cost 0.3 V.
    public var resistanceOhms = 0.5
    public private(set) var loadMilliwatts = 0.0
    public private(set) var chargerMilliwatts = 0.0
    private var now = Instant.zero

    /// Open-circuit voltage of a lithium-ion cell by charge: percent, millivolts.
    private static let curve: [(percent: Double, millivolts: Double)] = [
        (0, 3_200), (5, 3_350), (10, 3_450), (20, 3_600), (50, 3_750), (80, 3_950), (100, 4_200),
    ]

    /// - Parameter percent: 0…100.
    public init(capacityMilliwattHours: Double, percent: Double) {
        self.capacityMilliwattHours = capacityMilliwattHours
        milliwattHours = capacityMilliwattHours * min(max(percent, 0), 100) / 100
    }

    public var percent: Double { milliwattHours / capacityMilliwattHours * 100 }
    public var isCharging: Bool { chargerMilliwatts > 0 }
    /// Percent an hour, negative while it discharges.
    public var percentPerHour: Double { (chargerMilliwatts - loadMilliwatts) / capacityMilliwattHours * 100 }

    /// What the board sees; 0 when the load is more than it can carry.
    public var terminalMillivolts: Double {
        let open = Self.openMillivolts(percent)
        // V = E − R·P/V, with P what the charger does not give itself.
        let drawn = max(0, loadMilliwatts - chargerMilliwatts)
        let root = open * open - 4_000 * resistanceOhms * drawn
        return root < 0 ? 0 : (open + root.squareRoot()) / 2
    }

    /// Lets time pass with what draws and charges, then sets both anew.
    public mutating func advance(to instant: Instant, loadMilliwatts: Double, chargerMilliwatts: Double) {
        let hours = max(0, instant.seconds(since: now)) / 3_600
        milliwattHours += (self.chargerMilliwatts - self.loadMilliwatts) * hours
        milliwattHours = min(max(milliwattHours, 0), capacityMilliwattHours)
        now = max(now, instant)
        self.loadMilliwatts = loadMilliwatts
        self.chargerMilliwatts = chargerMilliwatts
    }

    private static func openMillivolts(_ percent: Double) -> Double {
        guard let upper = curve.firstIndex(where: { $0.percent >= percent }), upper > 0 else {
            return percent <= 0 ? curve[0].millivolts : curve[curve.count - 1].millivolts
        }
        let (a, b) = (curve[upper - 1], curve[upper])
        return a.millivolts + (b.millivolts - a.millivolts) * (percent - a.percent) / (b.percent - a.percent)
    }
}
