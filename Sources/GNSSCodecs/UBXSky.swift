import TrackerModel

/// The satellites of NAV-SAT (protocol 15 and later) and NAV-SVINFO.
enum UBXSky {
    /// Both have a header and a block for each satellite, of the same lengths.
    private static let headerLength = 8
    private static let blockLength = 12

    /// Lists the satellites of NAV-SAT; false when the length does not fit their number.
    static func list(ofSAT payload: UnsafeRawBufferPointer, in list: inout [SatelliteInView]) -> Bool {
        read(payload, countAt: 5, into: &list) { block in
            guard let system = system(block.u1(0)), block.u1(1) != 255 else { return nil }
            var satellite = view(
                system, number: Int(block.u1(1)), elevation: block.i1(3), azimuth: block.i2(4), cn0: block.u1(2),
                isUsed: block.u4(8) & 8 != 0)
            satellite.hasEphemeris = block.u4(8) & 0x800 != 0
            return satellite
        }
    }

    /// Lists the satellites of NAV-SVINFO; false when the length does not fit the number of channels.
    static func list(ofSVINFO payload: UnsafeRawBufferPointer, in list: inout [SatelliteInView]) -> Bool {
        read(payload, countAt: 4, into: &list) { block in
            guard let (system, number) = satellite(single: Int(block.u1(1))) else { return nil }
            return view(
                system, number: number, elevation: block.i1(5), azimuth: block.i2(6), cn0: block.u1(4),
                isUsed: block.u1(2) & 1 != 0)
        }
    }

    private static func read(
        _ payload: UnsafeRawBufferPointer, countAt offset: Int, into list: inout [SatelliteInView],
        _ read: (UnsafeRawBufferPointer) -> SatelliteInView?
    ) -> Bool {
        guard payload.count >= headerLength else { return false }
        let count = Int(payload.u1(offset))
        guard payload.count == headerLength + count * blockLength else { return false }
        list.removeAll(keepingCapacity: true)
        for index in 0..<count {
            let start = headerLength + index * blockLength
            let block = UnsafeRawBufferPointer(rebasing: payload[start..<start + blockLength])
            if let satellite = read(block) { list.append(satellite) }
        }
        return true
    }

    /// An elevation out of range marks both angles as unknown, a C/N₀ of 0 a satellite that is not tracked.
    private static func view(
        _ system: Constellation, number: Int, elevation: Int8, azimuth: Int16, cn0: UInt8, isUsed: Bool
    ) -> SatelliteInView {
        let isPlaced = (-90...90).contains(elevation) && (0...360).contains(azimuth)
        return SatelliteInView(
            constellation: system, number: number, elevationDeg: isPlaced ? Int(elevation) : nil,
            azimuthDeg: isPlaced ? Int(azimuth) % 360 : nil, cn0DBHz: cn0 > 0 ? Int(cn0) : nil, isUsed: isUsed)
    }

    /// The gnssId of protocol 15 and later; IMES (4) is no satellite.
    private static func system(_ gnssID: UInt8) -> Constellation? {
        switch gnssID {
        case 0: .gps
        case 1: .sbas
        case 2: .galileo
        case 3: .beidou
        case 5: .qzss
        case 6: .glonass
        case 7: .navic
        default: nil
        }
    }

    /// The single numbering of NAV-SVINFO ("Satellite Numbering" of the u-blox 8 interface description).
    private static func satellite(single number: Int) -> (Constellation, Int)? {
        switch number {
        case 1...32: (.gps, number)
        case 33...64: (.beidou, number - 27)
        case 65...96: (.glonass, number - 64)
        case 120...158: (.sbas, number)
        case 159...163: (.beidou, number - 158)
        case 193...202: (.qzss, number - 192)
        case 211...246: (.galileo, number - 210)
        default: nil
        }
    }
}
