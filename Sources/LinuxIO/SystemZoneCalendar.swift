import CLinux
public import Ports
public import TrackerModel

/// Dates in a zone of the system's zone database, by the C library.
///
/// The C library has one zone a process, the variable `TZ`: use it on one thread.
public final class SystemZoneCalendar: ZoneCalendar {
    public let zoneID: String
    /// The configured zone is not known to the system: dates are UTC.
    public let isFallback: Bool

    /// What `TZ` is set to: `:` takes the rest for a name only, never for a rule.
    private let variable: String

    /// - Parameter zoneID: an IANA id, `Europe/Amsterdam`; `UTC` needs no database.
    public init(zoneID: String) {
        let isKnown = zoneID == "UTC" || Self.isKnown(zoneID)
        self.zoneID = isKnown ? zoneID : "UTC"
        isFallback = !isKnown
        variable = self.zoneID == "UTC" ? "UTC0" : ":\(zoneID)"
    }

    /// `yyyy-MM-dd`; a time outside the years 1 to 9998 counts as the nearest second inside.
    public func localDate(of time: UTCTime) -> String {
        let (quotient, remainder) = time.millis.quotientAndRemainder(dividingBy: 1_000)
        let seconds = remainder < 0 ? quotient - 1 : quotient
        linux_set_zone(variable)
        var text = [CChar](repeating: 0, count: 11)
        // Cannot fail inside these bounds (0001-01-01 and 9998-12-31).
        _ = linux_local_date(min(max(seconds, -62_135_596_800), 253_370_764_799), &text)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static let database = "/usr/share/zoneinfo"

    /// A name below the database that leads to a compiled zone (tzfile(5)).
    private static func isKnown(_ id: String) -> Bool {
        let parts = id.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part != ".." && part != "."
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                        UInt8(ascii: "."):
                        true
                    default: false
                    }
                }
        }
        guard isName, let content = try? AtomicFile.read(path: "\(database)/\(id)") else { return false }
        return content.starts(with: "TZif".utf8)
    }
}
