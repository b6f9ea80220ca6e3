import TrackerModel

/// Gathers the satellites of a cycle from GSV, and from GSA which of them are used.
///
/// A cycle ends where another epoch begins, or where a group of GSV comes again. It is given out only if every sentence
/// of every group was there.
struct SkyAssembler {
    private static let nowhere = UInt8.max
    private static let slots = 64

    private var satellites: [SatelliteInView] = []
    /// Where a satellite is in `satellites`: a receiver lists it once for each of its signals.
    private var places = [UInt8](repeating: nowhere, count: Constellation.allCases.count * slots)
    /// Talker and signal of the groups that are complete.
    private var groups: [UInt32] = []
    private var group: (key: UInt32, next: Int)?
    private var isBroken = false
    /// A sky changes slowly, and reading it is a quarter of all reading: after one was given out the next may wait.
    private let intervalMillis: Int64
    private var restsUntil = Instant.zero
    private var now = Instant.zero

    private var used = SatelliteSet()
    private var dilutions: (pdop: Double?, hdop: Double?, vdop: Double?)
    /// The next GSA is of another epoch.
    private var isUsedOver = true

    /// - Parameter intervalMillis: between two skies at least; 0 gives out every cycle.
    init(intervalMillis: Int64) {
        self.intervalMillis = intervalMillis
        satellites.reserveCapacity(Self.slots)
        groups.reserveCapacity(16)
    }

    mutating func take(_ gsa: NMEASentence.GSA) {
        if isUsedOver { (used, dilutions, isUsedOver) = (SatelliteSet(), (nil, nil, nil), false) }
        used.formUnion(gsa.used)
        dilutions = (gsa.pdop ?? dilutions.pdop, gsa.hdop ?? dilutions.hdop, gsa.vdop ?? dilutions.vdop)
    }

    /// False while a GSV need not be read.
    mutating func wantsMore(at instant: Instant) -> Bool {
        now = instant
        return instant >= restsUntil
    }

    mutating func take(_ gsv: NMEASentence.GSV, _ emit: (GNSSOutput) -> Void) {
        guard gsv.total > 0 else { return }
        let key = UInt32(gsv.talker) << 8 | UInt32(gsv.signal)
        if gsv.number == 1 {
            if groups.contains(key) { finish(emit) }
            if group != nil { isBroken = true }
        } else if group?.key != key || group?.next != gsv.number {
            isBroken = true
        }
        add(gsv.satellites.0)
        add(gsv.satellites.1)
        add(gsv.satellites.2)
        add(gsv.satellites.3)
        if gsv.number == gsv.total {
            groups.append(key)
            group = nil
        } else {
            group = (key, gsv.number + 1)
        }
    }

    /// Another epoch begins.
    mutating func epochBegan(_ emit: (GNSSOutput) -> Void) {
        if group == nil, !groups.isEmpty { finish(emit) }
        isUsedOver = true
    }

    /// The cycle is over.
    mutating func finish(_ emit: (GNSSOutput) -> Void) {
        if group == nil, !groups.isEmpty, !isBroken {
            for index in satellites.indices {
                let satellite = satellites[index]
                satellites[index].isUsed = used.contains(satellite.constellation, slot: satellite.slot)
            }
            emit(
                .sky(
                    SkyView(
                        satellites: satellites, pdop: known(dilutions.pdop), hdop: known(dilutions.hdop),
                        vdop: known(dilutions.vdop))))
            restsUntil = now.advanced(byMillis: intervalMillis)
        }
        for satellite in satellites { places[Self.place(satellite.constellation, satellite.slot)] = Self.nowhere }
        satellites.removeAll(keepingCapacity: true)
        groups.removeAll(keepingCapacity: true)
        (group, isBroken) = (nil, false)
    }

    /// 99.99 and 0 are how receivers write that they do not know.
    private func known(_ dilution: Double?) -> Double? { dilution.flatMap { $0 > 0 && $0 < 99 ? $0 : nil } }

    private mutating func add(_ satellite: NMEASentence.GSV.Satellite?) {
        guard let satellite else { return }
        let place = Self.place(satellite.id.constellation, satellite.id.slot)
        if places[place] == Self.nowhere {
            // As many as there are slots: the index fits.
            guard satellites.count < Int(Self.nowhere) else { return }
            places[place] = UInt8(satellites.count)
            satellites.append(
                SatelliteInView(
                    constellation: satellite.id.constellation, number: Int(satellite.id.number),
                    elevationDeg: satellite.elevationDeg.map(Int.init), azimuthDeg: satellite.azimuthDeg.map(Int.init),
                    cn0DBHz: satellite.cn0DBHz.map(Int.init)))
        } else if let cn0 = satellite.cn0DBHz.map(Int.init) {
            let index = Int(places[place])
            satellites[index].cn0DBHz = max(cn0, satellites[index].cn0DBHz ?? cn0)
        }
    }

    private static func place(_ constellation: Constellation, _ slot: Int) -> Int {
        let row =
            switch constellation {
            case .gps: 0
            case .sbas: 1
            case .galileo: 2
            case .beidou: 3
            case .qzss: 4
            case .glonass: 5
            case .navic: 6
            }
        return row * slots + slot
    }
}

extension SatelliteInView {
    fileprivate var slot: Int { constellation == .sbas ? number - 119 : number }
}
