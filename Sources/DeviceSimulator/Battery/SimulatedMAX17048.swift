public import TrackerModel

/// A MAX17048 fuel gauge at register level (data sheet 19-6171 rev 7) on a battery that a script drains and charges.
///
/// Modelled: VCELL, SOC, VERSION, CONFIG and CRATE as words, upper byte first, the address going on after every byte.
/// Other registers read 0. Writes of single bytes, all that the bench's bus has, change nothing, as on the chip.
public struct SimulatedMAX17048: Sendable {
    /// 7-bit.
    public static let address: UInt8 = 0x36

    public var battery: SimulatedBattery
    /// `nil`: whoever has the gauge drains and charges its battery.
    private let script: BatteryScript?
    private var isFault = false
    /// The next segment, and when it begins.
    private var next = (index: 0, startMillis: Int64(0))

    public init(_ script: BatteryScript) {
        self.script = script
        battery = SimulatedBattery(
            capacityMilliwattHours: script.capacityMilliwattHours, percent: script.percent)
    }

    /// On a battery that its owner drains and charges.
    public init(_ battery: SimulatedBattery) {
        script = nil
        self.battery = battery
    }

    /// Reads from or writes (`value`) to a register at script time `now`, which must not go back.
    public mutating func transfer(
        _ register: UInt8, count: Int, value: UInt8? = nil, at now: Instant
    ) -> ChipOnBus.Answer {
        advance(to: now)
        if isFault { return .notAcknowledged }
        return .done(value == nil ? (0..<count).map { byte(register &+ UInt8(truncatingIfNeeded: $0)) } : [])
    }

    private mutating func advance(to now: Instant) {
        guard let script else { return }
        while next.index <= script.segments.count, next.startMillis <= now.millis {
            let isOver = next.index == script.segments.count
            let segment =
                isOver ? BatteryScript.Segment(milliwatts: 0, isFault: false, millis: 0) : script.segments[next.index]
            enter(segment, at: next.startMillis)
            next = (next.index + 1, next.startMillis + segment.millis)
        }
        battery.advance(
            to: now, loadMilliwatts: battery.loadMilliwatts, chargerMilliwatts: battery.chargerMilliwatts)
    }

    private mutating func enter(_ segment: BatteryScript.Segment, at millis: Int64) {
        battery.advance(
            to: Instant(millis: millis), loadMilliwatts: max(0, -segment.milliwatts),
            chargerMilliwatts: max(0, segment.milliwatts))
        isFault = segment.isFault
    }

    private func byte(_ address: UInt8) -> UInt8 {
        let word = word(address & 0xFE)
        return UInt8(truncatingIfNeeded: address & 1 == 0 ? word >> 8 : word)
    }

    private func word(_ address: UInt8) -> UInt16 {
        switch address {
        case 0x02: UInt16((battery.terminalMillivolts / 0.078_125).rounded())
        case 0x04: UInt16((battery.percent * 256).rounded())
        case 0x08: 0x0012
        case 0x0C: 0x971C
        case 0x16:
            UInt16(bitPattern: Int16(min(max(battery.percentPerHour / 0.208, -32_768), 32_767).rounded()))
        default: 0
        }
    }
}
