import TrackerGeo
public import TrackerModel

/// The sky as text: a plot with north up and the zenith in the middle, and a bar of signal strength for each satellite.
public enum SkyPage {
    /// Columns and rows of the plot; a character is about twice as high as wide.
    private static let columns = 41
    private static let rows = 21
    /// A signal of this many dBHz fills the bar.
    private static let fullBarDBHz = 50
    private static let barWidth = 25

    public static func text(_ sky: SkyView) -> String {
        let satellites = sky.satellites.sorted { label($0) < label($1) }
        var page = plot(satellites).joined(separator: "\n") + "\n\n"
        for satellite in satellites { page += bar(satellite) + "\n" }
        let used = satellites.count(where: \.isUsed)
        page += "\(satellites.count) in view, \(used) used (marked *)"
        for (name, value) in [("PDOP", sky.pdop), ("HDOP", sky.hdop), ("VDOP", sky.vdop)] {
            if let value { page += ", \(name) \((value * 10).rounded() / 10)" }
        }
        return page + "\n"
    }

    /// One letter for the system, as in RINEX, and the number.
    static func label(_ satellite: SatelliteInView) -> String {
        let letter =
            switch satellite.constellation {
            case .gps: "G"
            case .sbas: "S"
            case .galileo: "E"
            case .beidou: "C"
            case .qzss: "J"
            case .glonass: "R"
            case .navic: "I"
            }
        return letter + (satellite.number < 10 ? "0" : "") + String(satellite.number)
    }

    private static func plot(_ satellites: [SatelliteInView]) -> [String] {
        var grid = [[Character]](repeating: [Character](repeating: " ", count: columns), count: rows)
        let (middleX, middleY) = (columns / 2, rows / 2)
        for step in 0..<72 {
            let (x, y) = place(azimuthDeg: Double(step * 5), elevationDeg: 0)
            grid[y][x] = "·"
        }
        grid[middleY][middleX] = "+"
        grid[0][middleX] = "N"
        grid[rows - 1][middleX] = "S"
        grid[middleY][0] = "W"
        grid[middleY][columns - 1] = "E"
        for satellite in satellites {
            guard let azimuth = satellite.azimuthDeg, let elevation = satellite.elevationDeg, elevation >= 0 else {
                continue
            }
            let (x, y) = place(azimuthDeg: Double(azimuth), elevationDeg: Double(min(90, elevation)))
            let name = label(satellite) + (satellite.isUsed ? "*" : "")
            let start = min(max(0, x - 1), columns - name.count)
            for (offset, character) in name.enumerated() { grid[y][start + offset] = character }
        }
        return grid.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
    }

    /// Zenith in the middle, horizon on the rim, linear in elevation.
    private static func place(azimuthDeg: Double, elevationDeg: Double) -> (x: Int, y: Int) {
        let radius = (90 - elevationDeg) / 90
        let direction = Geodesic.direction(bearingDeg: azimuthDeg)
        let x = Double(columns / 2) * (1 + radius * direction.east)
        let y = Double(rows / 2) * (1 - radius * direction.north)
        return (min(columns - 1, max(0, Int(x.rounded()))), min(rows - 1, max(0, Int(y.rounded()))))
    }

    private static func bar(_ satellite: SatelliteInView) -> String {
        let name = label(satellite) + (satellite.isUsed ? "*" : " ")
        guard let cn0 = satellite.cn0DBHz else { return "\(name)  -" }
        let filled = min(barWidth, max(0, cn0) * barWidth / fullBarDBHz)
        let number = cn0 < 10 ? " \(cn0)" : "\(cn0)"
        return "\(name) \(number) " + String(repeating: "█", count: filled)
    }
}
