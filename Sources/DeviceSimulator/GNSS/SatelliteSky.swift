import TrackerModel

/// The satellites over the receiver: where they stand and how strong they are. They move by a degree in two minutes, so
/// a sky plot is alive.
struct SatelliteSky: Sendable {
    enum System: Int, CaseIterable, Sendable {
        case gps = 0
        case galileo = 2
        case glonass = 6

        var talker: String { self == .gps ? "GP" : self == .galileo ? "GA" : "GL" }
        /// Number of the system in NMEA 4.11.
        var nmeaNumber: Int { self == .gps ? 1 : self == .glonass ? 2 : 3 }
    }

    struct Satellite: Equatable, Sendable {
        var system: System
        /// Number inside its system, from 1.
        var number: Int
        /// 0…90.
        var elevationDeg: Int
        /// 0…359.
        var azimuthDeg: Int
        /// Carrier to noise density, dBHz; 0 when it is not tracked.
        var signal: Int
        var isUsed: Bool

        /// GLONASS is counted from 65 in NMEA.
        var nmeaNumber: Int { system == .glonass ? 64 + number : number }
    }

    private let seed: UInt64
    private let systems: [System]

    init(seed: UInt64, isGPSOnly: Bool) {
        self.seed = seed
        systems = isGPSOnly ? [.gps] : System.allCases
    }

    /// All above the horizon, the highest of each system first; `used` of them are in the solution, none is tracked when
    /// `isDark`.
    func satellites(at now: Instant, used: Int, isDark: Bool) -> [Satellite] {
        var all = systems.flatMap { system in
            (0..<(system == .gps ? 12 : 7)).map { satellite(system, $0, now, isDark: isDark) }
        }
        let order = all.indices.sorted { (all[$1].signal, $0) < (all[$0].signal, $1) }
        for index in order.prefix(isDark ? 0 : used) {
            all[index].isUsed = true
            all[index].signal = max(all[index].signal, 22)
        }
        return all
    }

    private func satellite(_ system: System, _ index: Int, _ now: Instant, isDark: Bool) -> Satellite {
        let key = seed &+ UInt64(system.rawValue * 100 + index) &* 7_919
        var random = SplitMix(seed: key)
        let (start, height, strength) = (random.unit() * 360, random.unit(), random.unit())
        let moved = start + Double(now.millis) / 120_000
        let elevation = 5 + Int(height * 80)
        let flicker = SplitMix.noise(key ^ UInt64(bitPattern: now.millis / 1_000))
        let signal = 24 + Double(elevation) / 5 + strength * 6 + flicker
        return Satellite(
            system: system, number: 2 + 2 * index, elevationDeg: elevation,
            azimuthDeg: Int(moved) % 360, signal: isDark ? 0 : min(52, max(15, Int(signal))), isUsed: false)
    }
}
