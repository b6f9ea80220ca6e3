import Foundation
import TestKit
import Testing
import TrackerModel
import WireText

@testable import GNSSCodecs

/// Every navigation message of the recorded logs, field by field, against another decoder.
@Suite("UBX messages against another decoder", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct UBXOracleTests {
    private static let logs = [
        "pyubx2/pygpsdata-ALL", "pyubx2/pygpsdata-BADCK2", "pyubx2/pygpsdata-BADEOF1", "pyubx2/pygpsdata-BADEOF2",
        "pyubx2/pygpsdata-BADEOF3", "pyubx2/pygpsdata-BADHDR", "pyubx2/pygpsdata-MIXED", "pyubx2/pygpsdata-NAV",
        "pyubx2/pygpsdata-NAVHPPOS", "ublox-rs/nav_pvt", "ublox-rs/nav_pvt_corrupted", "ublox-rs/nav_pvt_fix_type",
        "ublox-rs/nav_status", "ublox-rs/rxm_sfrbx_glo",
    ]
    /// The messages that are read, by the identifier the oracle gives them.
    private static let names: [UInt8: String] = [
        0x02: "NAV-POSLLH", 0x03: "NAV-STATUS", 0x04: "NAV-DOP", 0x06: "NAV-SOL", 0x07: "NAV-PVT",
        0x12: "NAV-VELNED", 0x14: "NAV-HPPOSLLH", 0x20: "NAV-TIMEGPS", 0x21: "NAV-TIMEUTC",
    ]

    /// The read messages of a stream with right checksums, as names and fields.
    private func messages(_ bytes: [UInt8]) -> [(name: String, fields: [String: Double])] {
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        var found: [(String, [String: Double])] = []
        decoder.onFrame = { note in
            guard case .ubx(UBXMessage.navigationClass, let id) = note.kind, let name = Self.names[id] else { return }
            let start = Int(note.offset)
            bytes[start + 6..<start + note.length - 2].withUnsafeBytes { payload in
                if let message = try? UBXMessage(id: id, payload) { found.append((name, message.fields)) }
            }
        }
        decoder.feed(bytes, at: .zero) { _ in }
        decoder.finish { _ in }
        return found
    }

    @Test("Every field of every message agrees", arguments: logs)
    func fields(name: String) throws {
        let ours = messages(try #require(SharedData.bytes("ubx/" + name + ".ubx")))
        let lines = try #require(SharedData.text("ubx/" + name + ".nav.jsonl")).split(whereSeparator: \.isNewline)
        let theirs = try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }.filter { Self.names.values.contains($0["id"] as? String ?? "") }
        // Those the oracle's reader lists; it does not list NAV-TIMEGPS.
        let listed = Set(theirs.compactMap { $0["id"] as? String })
        let comparable = ours.filter { listed.contains($0.name) }
        #expect(comparable.count == theirs.count)
        #expect(theirs.isEmpty == ours.allSatisfy { $0.name == "NAV-TIMEGPS" })
        var compared = 0
        for (mine, other) in zip(comparable, theirs) {
            #expect(mine.name == other["id"] as? String)
            for (field, value) in mine.fields {
                guard let their = (other[field] as? NSNumber)?.doubleValue else { continue }
                compared += 1
                #expect(abs(value - their) <= 1e-9 * max(1, abs(their)), "\(mine.name) \(field)")
            }
        }
        #expect(compared >= 4 * theirs.count)
    }
}

extension UBXMessage {
    /// Under the names and in the units of the oracle.
    fileprivate var fields: [String: Double] {
        var fields = FieldList()
        fields["iTOW"] = iTOW
        switch self {
        case .pvt(let pvt): pvt.list(&fields)
        case .sol(let sol): sol.list(&fields)
        case .position(let position): position.list(&fields)
        case .precisePosition(let position): position.list(&fields)
        case .velocity(let velocity):
            fields["gSpeed"] = velocity.groundSpeedCMS
            fields["heading", 1e5] = velocity.headingE5
            fields["sAcc"] = velocity.sAccCMS
            fields["cAcc", 1e5] = velocity.headAccE5
        case .timeUTC(let time):
            time.clock.list(&fields)
            fields["validTOW"] = time.valid & 1
            fields["validWKN"] = time.valid >> 1 & 1
            fields["validUTC"] = time.valid >> 2 & 1
        case .status(let status):
            fields["gpsFix"] = status.gpsFix
            fields["gpsFixOk"] = status.flags & 1
            fields["spoofDetState"] = status.spoofing
        case .dop(let dop):
            fields["pDOP", 100] = dop.pdopE2
            fields["vDOP", 100] = dop.vdopE2
            fields["hDOP", 100] = dop.hdopE2
        case .timeGPS, .endOfEpoch: break
        }
        return fields.values
    }
}

/// Numbers by name, each divided by its scale.
private struct FieldList {
    private(set) var values: [String: Double] = [:]

    subscript<Value: BinaryInteger>(name: String) -> Value? {
        get { nil }
        set { values[name] = newValue.map { Double($0) } }
    }

    subscript<Value: BinaryInteger>(name: String, scale: Double) -> Value? {
        get { nil }
        set { values[name] = newValue.map { Double($0) / scale } }
    }
}

extension UBXMessage.PVT {
    fileprivate func list(_ fields: inout FieldList) {
        clock.list(&fields)
        fields["validDate"] = valid & 1
        fields["validTime"] = valid >> 1 & 1
        fields["fullyResolved"] = valid >> 2 & 1
        fields["fixType"] = fixType
        fields["gnssFixOk"] = flags & 1
        fields["numSV"] = satellites
        fields["lon", 1e7] = longitudeE7
        fields["lat", 1e7] = latitudeE7
        fields["hMSL"] = heightMSLMM
        fields["hAcc"] = hAccMM
        fields["vAcc"] = vAccMM
        fields["gSpeed"] = groundSpeedMMS
        fields["headMot", 1e5] = headingE5
        fields["sAcc"] = sAccMMS
        fields["headAcc", 1e5] = headAccE5
        fields["pDOP", 100] = pdopE2
        fields["invalidLlh"] = isPositionInvalid ? 1 : 0
    }
}

extension UBXMessage.SOL {
    fileprivate func list(_ fields: inout FieldList) {
        fields["fTOW"] = fTOW
        fields["week"] = week
        fields["gpsFix"] = gpsFix
        fields["gpsfixOK"] = flags & 1
        fields["ecefX"] = ecefCM.x
        fields["ecefY"] = ecefCM.y
        fields["ecefZ"] = ecefCM.z
        fields["pAcc"] = pAccCM
        fields["ecefVX"] = ecefVelocityCMS.x
        fields["ecefVY"] = ecefVelocityCMS.y
        fields["ecefVZ"] = ecefVelocityCMS.z
        fields["sAcc"] = sAccCMS
        fields["pDOP", 100] = pdopE2
        fields["numSV"] = satellites
    }
}

extension UBXMessage.POSLLH {
    fileprivate func list(_ fields: inout FieldList) {
        fields["lon", 1e7] = longitudeE7
        fields["lat", 1e7] = latitudeE7
        fields["hMSL"] = heightMSLMM
        fields["hAcc"] = hAccMM
        fields["vAcc"] = vAccMM
    }
}

extension UBXMessage.HPPOSLLH {
    fileprivate func list(_ fields: inout FieldList) {
        fields["invalidLlh"] = isInvalid ? 1 : 0
        fields["lon", 1e9] = longitudeE9
        fields["lat", 1e9] = latitudeE9
        fields["hMSL", 10] = heightMSLTenthMM
        fields["hAcc", 10] = hAccTenthMM
        fields["vAcc", 10] = vAccTenthMM
    }
}

extension UBXClock {
    fileprivate func list(_ fields: inout FieldList) {
        fields["year"] = year
        fields["month"] = month
        fields["day"] = day
        fields["hour"] = hour
        fields["min"] = minute
        fields["second"] = second
        fields["sec"] = second
        fields["nano"] = nano
    }
}
