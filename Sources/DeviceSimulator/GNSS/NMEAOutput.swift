import TrackerModel
import WireText

/// A solution in the sentences of a receiver.
struct NMEAOutput: Sendable {
    let style: NMEAStyle
    let solution: NavigationSolution
    let satellites: [SatelliteSky.Satellite]

    /// The sentences of one message, each with checksum and line end; empty for what is no NMEA.
    func text(_ message: ReceiverMessage) -> String {
        let lines: [[String]] =
            switch message {
            case .rmc: [rmc]
            case .gga: [gga]
            case .gll: [named("GLL", place + [clock, status] + mode)]
            case .gns: [gns]
            case .gsa: gsa
            case .gsv: gsv
            case .gst: [gst]
            case .vtg: [named("VTG", [course, "T", "", "M", knots, "N", kmh, "K"] + mode)]
            case .zda: [zda]
            case .gbs: [gbs]
            case .pubx00: [pubx00]
            case .pubx04: [pubx04]
            default: []
            }
        return lines.map(NMEASentence.line).joined()
    }

    private var rmc: [String] {
        let navigation = style.hasNavigationStatus ? ["V"] : []
        return named("RMC", [clock, status] + place + [knots, course, date, "", ""] + mode + navigation)
    }

    private var gga: [String] {
        let height =
            solution.hasFix
            ? [decimal(solution.altitudeM, 1), "M", decimal(solution.separationM, 1), "M"] : ["", "", "", ""]
        return named("GGA", [clock] + place + [String(solution.quality), used, hdop] + height + ["", ""])
    }

    private var gns: [String] {
        let height = solution.hasFix ? [decimal(solution.altitudeM, 1), decimal(solution.separationM, 1)] : ["", ""]
        let modes = mode.joined() + mode.joined()
        return named(
            "GNS",
            [clock] + place + [modes, used, hdop] + height + ["", ""] + (style.hasNavigationStatus ? ["V"] : []))
    }

    private var gst: [String] {
        guard solution.hasFix else { return named("GST", [clock] + [String](repeating: "", count: 7)) }
        // σ an axis of a 68 % radius: divide by 1.5096.
        let sigma = decimal(solution.horizontalAccuracyM / 1.509_6, 2)
        return named("GST", [clock, "20", sigma, sigma, "0", sigma, sigma, decimal(solution.verticalAccuracyM, 2)])
    }

    private var zda: [String] {
        guard solution.knowsTime, solution.knowsDate else { return named("ZDA", [clock, "", "", "", "00", "00"]) }
        let civil = solution.civil
        return named(
            "ZDA", [clock, padded(civil.day, 2), padded(civil.month, 2), padded(civil.year, 4), "00", "00"])
    }

    private var gbs: [String] {
        guard solution.hasFix else { return named("GBS", [clock] + [String](repeating: "", count: 7)) }
        let sigma = decimal(solution.horizontalAccuracyM / 1.509_6, 1)
        return named("GBS", [clock, sigma, sigma, decimal(solution.verticalAccuracyM, 1), "", "", "", ""])
    }

    private var gsa: [[String]] {
        let dimension = solution.hasFix ? (solution.is3D ? "3" : "2") : "1"
        let dilutions = [solution.hdop * 1.8, solution.hdop, solution.hdop * 1.5].map { decimal(min(99.99, $0), 2) }
        return systems.map { system in
            let numbers = satellites.filter { $0.system == system && $0.isUsed }.prefix(12).map {
                padded($0.nmeaNumber, 2)
            }
            let fill = [String](repeating: "", count: 12 - numbers.count)
            let number = style.hasNavigationStatus ? [String(system.nmeaNumber)] : []
            return named("GSA", ["A", dimension] + numbers + fill + dilutions + number)
        }
    }

    private var gsv: [[String]] {
        systems.flatMap { system -> [[String]] in
            let seen = satellites.filter { $0.system == system }
            let parts = (seen.count + 3) / 4
            return (0..<parts).map { part in
                let entries = seen[(part * 4)..<min(seen.count, part * 4 + 4)].flatMap {
                    [
                        padded($0.nmeaNumber, 2), padded($0.elevationDeg, 2), padded($0.azimuthDeg, 3),
                        $0.signal > 0 ? padded($0.signal, 2) : "",
                    ]
                }
                let band = style.hasNavigationStatus ? ["1"] : []
                return [system.talker + "GSV", String(parts), String(part + 1), padded(seen.count, 2)] + entries + band
            }
        }
    }

    private var pubx00: [String] {
        let fix = solution.hasFix ? (solution.is3D ? "G3" : "G2") : "NF"
        let here = solution.position == nil ? ["0000.00000", "N", "00000.00000", "E"] : place
        return ["PUBX", "00", clock] + here + [
            decimal(solution.altitudeM + solution.separationM, 3), fix, decimal(solution.horizontalAccuracyM, 1),
            decimal(solution.verticalAccuracyM, 1), decimal(solution.speedMps * 3.6, 3),
            decimal(solution.courseDeg, 2), decimal(solution.downMps, 3), "", hdop,
            decimal(min(99.99, solution.hdop * 1.5), 2), "1.00", String(solution.satellitesUsed), "0", "0",
        ]
    }

    private var pubx04: [String] {
        // A guess of the leap seconds is marked with a D.
        let leap = "18" + (solution.knowsLeapSeconds ? "" : "D")
        return [
            "PUBX", "04", clock, date, decimal(Double(solution.weekMillis) / 1_000, 2), String(solution.gpsWeek), leap,
            "0", "0.000", "21",
        ]
    }

    // MARK: Fields

    private var systems: [SatelliteSky.System] {
        SatelliteSky.System.allCases.filter { system in satellites.contains { $0.system == system } }
    }

    private func named(_ name: String, _ fields: [String]) -> [String] { [style.talker + name] + fields }
    private func padded(_ number: Int, _ width: Int) -> String { NMEASentence.padded(number, width) }
    private func decimal(_ value: Double, _ places: Int) -> String { NMEASentence.decimal(value, places: places) }

    private var clock: String {
        guard solution.knowsTime else { return "" }
        let civil = solution.civil
        let fraction = padded(civil.millis, 3).prefix(style.timePlaces)
        return padded(civil.hour, 2) + padded(civil.minute, 2) + padded(civil.second, 2) + "." + fraction
    }

    private var date: String { solution.knowsTime && solution.knowsDate ? NMEASentence.date(solution.civil) : "" }
    private var status: String { solution.hasFix ? "A" : "V" }
    private var used: String { padded(solution.satellitesUsed, 2) }
    private var hdop: String { decimal(solution.hdop, 2) }
    private var knots: String { solution.hasFix ? decimal(solution.speedMps / 0.514_444, 3) : "" }
    private var kmh: String { solution.hasFix ? decimal(solution.speedMps * 3.6, 3) : "" }
    private var course: String { solution.hasFix && solution.hasCourse ? decimal(solution.courseDeg, 2) : "" }

    /// The positioning mode of NMEA 2.3 and later.
    private var mode: [String] {
        switch solution.quality {
        case 0: ["N"]
        case 6: ["E"]
        case 7: ["M"]
        case 8: ["S"]
        default: ["A"]
        }
    }

    private var place: [String] {
        guard let position = solution.position else { return ["", "", "", ""] }
        return [
            angle(position.latitude, width: 2), position.latitude < 0 ? "S" : "N",
            angle(position.longitude, width: 3), position.longitude < 0 ? "W" : "E",
        ]
    }

    private func angle(_ degrees: Double, width: Int) -> String {
        let scale = (0..<style.minutePlaces).reduce(1) { product, _ in product * 10 }
        let units = Int((abs(degrees) * 60 * Double(scale)).rounded())
        let (minutes, fraction) = (units / scale, units % scale)
        return padded(minutes / 60, width) + padded(minutes % 60, 2) + "." + padded(fraction, style.minutePlaces)
    }
}
