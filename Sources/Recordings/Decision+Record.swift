public import TrackerModel
public import WireText

/// A decision as a line of text: for `replay --decisions`, and for programs that ask the daemon.
extension Decision {
    /// Keys in alphabetical order; metres, m/s, seconds and degrees as decimal text of integers, what the fix did not
    /// come to left out.
    /// - Parameter number: from 1 in the order of decisions, or the row's id.
    public func json(number: Int64) -> JSONValue {
        var object = JSONObject()
        object["acc"] = accuracyMM.map { .fixed($0, places: 3) }
        object["distanceM"] = distanceMM.map { .fixed($0, places: 3) }
        object["elapsedSec"] = evidence.elapsedMillis.map { .fixed($0, places: 3) }
        object["filterLat"] = evidence.filterLatitudeE7.map { .fixed(Int64($0), places: 7) }
        object["filterLon"] = evidence.filterLongitudeE7.map { .fixed(Int64($0), places: 7) }
        object["flags"] = .array(evidence.flags.names.map { .string($0) })
        object["lat"] = latitudeE7.map { .fixed(Int64($0), places: 7) }
        object["lon"] = longitudeE7.map { .fixed(Int64($0), places: 7) }
        object["motion"] = .string(motion.rawValue)
        object["n"] = .int(number)
        object["netM"] = evidence.netMM.map { .fixed($0, places: 3) }
        object["offsetM"] = evidence.offsetMM.map { .fixed($0, places: 3) }
        object["reason"] = .string(reason.rawValue)
        object["sigmaM"] = evidence.sigmaMM.map { .fixed($0, places: 3) }
        object["silenceSec"] = evidence.silenceMillis.map { .fixed($0, places: 3) }
        object["speedMps"] = speedMMps.map { .fixed($0, places: 3) }
        object["t"] = time.map { .fixed($0.millis, places: 3) }
        object["thresholdM"] = evidence.thresholdMM.map { .fixed($0, places: 3) }
        object["u"] = .fixed(instant.nanos, places: 9)
        object["verdict"] = .string(verdict.rawValue)
        return .object(object)
    }

    /// The columns of `csv`, in an order that later versions keep and only append to.
    public static let csvHeader = """
        n,time_ms,instant_ns,latitude_e7,longitude_e7,accuracy_mm,verdict,reason,distance_mm,speed_mmps,motion,\
        elapsed_ms,silence_ms,filter_latitude_e7,filter_longitude_e7,sigma_mm,offset_mm,threshold_mm,net_mm,flags
        """

    /// Integers and fixed words only, so that the text is the same on every machine. Flags are the sum of their bits.
    public func csv(number: Int64) -> String {
        var cells: [String] = [String(number), Self.cell(time?.millis), String(instant.nanos)]
        cells += [Self.cell(latitudeE7), Self.cell(longitudeE7), Self.cell(accuracyMM)]
        cells += [verdict.rawValue, reason.rawValue, Self.cell(distanceMM), Self.cell(speedMMps), motion.rawValue]
        cells += [Self.cell(evidence.elapsedMillis), Self.cell(evidence.silenceMillis)]
        cells += [Self.cell(evidence.filterLatitudeE7), Self.cell(evidence.filterLongitudeE7)]
        cells += [Self.cell(evidence.sigmaMM), Self.cell(evidence.offsetMM), Self.cell(evidence.thresholdMM)]
        cells += [Self.cell(evidence.netMM), String(evidence.flags.rawValue)]
        return cells.joined(separator: ",")
    }

    private static func cell(_ number: (some BinaryInteger)?) -> String { number.map { String($0) } ?? "" }
}

extension DecisionFlags {
    private static let named: [(flag: DecisionFlags, name: String)] = [
        (.stepVeto, "stepVeto"), (.accelVeto, "accelVeto"), (.stillVeto, "stillVeto"),
        (.liftSuppressed, "liftSuppressed"), (.nlpBypass, "nlpBypass"), (.gap, "gap"), (.turning, "turning"),
        (.hwVehicular, "hwVehicular"), (.hwStill, "hwStill"), (.latched, "latched"), (.hasSpeed, "hasSpeed"),
        (.moving, "moving"), (.vehicular, "vehicular"),
    ]

    /// The words of spec capture §9.2.
    public var names: [String] { Self.named.filter { contains($0.flag) }.map(\.name) }
}
