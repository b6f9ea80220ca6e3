public import TrackerModel

/// A MAX17048 fuel gauge at register level (data sheet 19-6171 rev 7) on a battery that a script drains and charges.
///
/// Modelled: VCELL, SOC, VERSION, CONFIG and CRATE as words, upper byte first, the address going on after every byte.
/// CONFIG can be written, as a word: single bytes change nothing, as on the chip. Other registers read 0 and keep nothing.
public struct SimulatedMAX17048: Sendable {
    /// 7-bit.
    public static let address: UInt8 = 0x36

    /// An alert comes when its charge falls past the threshold, not while it is below.
    public var battery: SimulatedBattery {
        didSet { if oldValue.percent >= threshold, battery.percent < threshold { isAlerting = true } }
    }
    /// `nil`: whoever has the gauge drains and charges its battery.
    private let script: BatteryScript?
    /// CONFIG: below 32 − ATHD percent (bits 0…4) ALRT (bit 5) is set and the line pulled low until ALRT is cleared.
    private var config: UInt16 = 0x971C
    /// It does not acknowledge its address.
    public var isFault = false
    private var now = Instant.zero

    public init(_ script: BatteryScript) {
        self.script = script
        battery = SimulatedBattery(
            capacityMilliwattHours: script.capacityMilliwattHours, percent: script.percent)
        follow(script, at: .zero)
    }

    /// On a battery that its owner drains and charges.
    public init(_ battery: SimulatedBattery) {
        script = nil
        self.battery = battery
    }

    /// The alert line is pulled low.
    public private(set) var isAlerting: Bool {
        get { config & 0x20 != 0 }
        set { config = newValue ? config | 0x20 : config & ~0x20 }
    }

    /// Reads from or writes (`values`) to a register at script time `now`, which must not go back.
    public mutating func transfer(
        _ register: UInt8, count: Int, values: [UInt8]? = nil, at now: Instant
    ) -> ChipOnBus.Answer {
        advance(to: now)
        if isFault { return .notAcknowledged }
        guard let values else { return .done((0..<count).map { byte(register &+ UInt8(truncatingIfNeeded: $0)) }) }
        if register == 0x0C, values.count == 2 { config = UInt16(values[0]) << 8 | UInt16(values[1]) }
        return .done([])
    }

    private var threshold: Double { Double(32 - config & 0x1F) }

    /// Lives on to `now`.
    public mutating func advance(to now: Instant) {
        guard let script else { return }
        for end in script.ends where self.now < end && end < now { follow(script, at: end) }
        follow(script, at: now)
    }

    private mutating func follow(_ script: BatteryScript, at instant: Instant) {
        now = instant
        let segment = script.segment(at: instant)
        let milliwatts = segment?.milliwatts ?? 0
        battery.advance(
            to: instant, loadMilliwatts: max(0, -milliwatts), chargerMilliwatts: max(0, milliwatts))
        isFault = segment?.isFault ?? false
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
        case 0x0C: config
        case 0x16:
            UInt16(bitPattern: Int16(min(max(battery.percentPerHour / 0.208, -32_768), 32_767).rounded()))
        default: 0
        }
    }
}
