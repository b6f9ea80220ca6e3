public import TrackerModel
public import WireText

extension SkyView {
    /// The sky as the control socket and `tracker decode --sky` show it; what is unknown is left out.
    public var json: JSONObject {
        var object = JSONObject()
        object["pdop"] = pdop.flatMap { .decimal($0, places: 2) }
        object["hdop"] = hdop.flatMap { .decimal($0, places: 2) }
        object["vdop"] = vdop.flatMap { .decimal($0, places: 2) }
        object["satellites"] = .array(
            satellites.map { satellite in
                var row: JSONObject = [
                    "constellation": .string(satellite.constellation.rawValue), "number": .int(Int64(satellite.number)),
                ]
                row["elevationDeg"] = satellite.elevationDeg.map { .int(Int64($0)) }
                row["azimuthDeg"] = satellite.azimuthDeg.map { .int(Int64($0)) }
                row["cn0DBHz"] = satellite.cn0DBHz.map { .int(Int64($0)) }
                row["used"] = .bool(satellite.isUsed)
                return .object(row)
            })
        return object
    }

    /// Reads what `json` wrote; satellites of systems that this version does not know are left out.
    public init(json: JSONValue) {
        let rows = json["satellites"]?.arrayValue ?? []
        self.init(
            satellites: rows.compactMap { row in
                guard let name = row["constellation"]?.stringValue, let constellation = Constellation(rawValue: name),
                    let number = row["number"]?.intValue
                else { return nil }
                func integer(_ name: String) -> Int? { row[name]?.intValue.flatMap { Int(exactly: $0) } }
                return SatelliteInView(
                    constellation: constellation, number: Int(clamping: number), elevationDeg: integer("elevationDeg"),
                    azimuthDeg: integer("azimuthDeg"), cn0DBHz: integer("cn0DBHz"),
                    isUsed: row["used"]?.boolValue ?? false)
            },
            pdop: json["pdop"]?.doubleValue, hdop: json["hdop"]?.doubleValue, vdop: json["vdop"]?.doubleValue)
    }
}
