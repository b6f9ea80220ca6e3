/// Quantities for people, from the integers that are stored; rounded, with as many digits as help.
enum Amount {
    /// `8.3 m`, `231 m`, `12.4 km`.
    static func metres(_ mm: Int64) -> String {
        switch mm.magnitude {
        case ..<100_000: "\(tenths(mm, of: 1_000)) m"
        case ..<10_000_000: "\(rounded(mm, to: 1_000)) m"
        default: "\(tenths(mm, of: 1_000_000)) km"
        }
    }

    /// `12.0 s`, `412 s`, `3.5 h`.
    static func seconds(_ millis: Int64) -> String {
        switch millis.magnitude {
        case ..<100_000: "\(tenths(millis, of: 1_000)) s"
        case ..<7_200_000: "\(rounded(millis, to: 1_000)) s"
        default: "\(tenths(millis, of: 3_600_000)) h"
        }
    }

    /// `0.2 m/s`.
    static func speed(_ mmps: Int64) -> String { "\(tenths(mmps, of: 1_000)) m/s" }

    /// A limit: `30`, or `0.5` where it is not whole.
    static func whole(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
        let isWhole = value == value.rounded() || abs(value) >= 100
        return isWhole ? String(Int64(value.rounded())) : tenths(Int64((value * 1_000).rounded()), of: 1_000)
    }

    private static func rounded(_ value: Int64, to unit: Int64) -> Int64 {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
        return rest.magnitude * 2 >= unit.magnitude ? quotient + value.signum() : quotient
    }

    private static func tenths(_ value: Int64, of unit: Int64) -> String {
        let count = rounded(value, to: unit / 10)
        return (count < 0 ? "-" : "") + "\(count.magnitude / 10).\(count.magnitude % 10)"
    }
}
