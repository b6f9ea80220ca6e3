import TrackerModel
import WireText

/// NMEA 0183 text of values.
enum NMEASentence {
    /// `$body*hh` CR LF with the exclusive-or checksum.
    static func line(_ fields: [String]) -> String {
        let body = fields.joined(separator: ",")
        let sum = body.utf8.reduce(UInt8(0), ^)
        return "$\(body)*\(Hex.text([sum]).uppercased())\r\n"
    }

    /// `hhmmss.ss`.
    static func time(_ time: CivilTime) -> String {
        padded(time.hour, 2) + padded(time.minute, 2) + padded(time.second, 2) + "." + padded(time.millis / 10, 2)
    }

    /// `ddmmyy`.
    static func date(_ time: CivilTime) -> String {
        padded(time.day, 2) + padded(time.month, 2) + padded(time.year % 100, 2)
    }

    /// `ddmm.mmmmm`, `N` or `S`.
    static func latitude(_ degrees: Double) -> [String] { [angle(degrees, width: 2), degrees < 0 ? "S" : "N"] }

    /// `dddmm.mmmmm`, `E` or `W`.
    static func longitude(_ degrees: Double) -> [String] { [angle(degrees, width: 3), degrees < 0 ? "W" : "E"] }

    static func decimal(_ value: Double, places: Int) -> String {
        var units = value
        for _ in 0..<places { units *= 10 }
        return FixedPoint.text(Int64(units.rounded()), places: places)
    }

    /// Minutes to 1e-5, 1.9 cm, as common receivers print them.
    private static func angle(_ degrees: Double, width: Int) -> String {
        let units = Int((abs(degrees) * 6_000_000).rounded())
        let minutes = units % 6_000_000
        return padded(units / 6_000_000, width) + padded(minutes / 100_000, 2) + "." + padded(minutes % 100_000, 5)
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
