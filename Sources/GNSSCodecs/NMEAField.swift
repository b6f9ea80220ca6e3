import TrackerModel
import WireText

/// A sentence whose checksum is right but whose content is not: it is dropped whole, never half applied.
struct MalformedSentence: Error {}

/// One comma-separated field, a view of the framer's buffer: no copy, valid while that buffer is.
///
/// An empty field is `nil` everywhere, never 0.
struct NMEAField {
    let bytes: UnsafeBufferPointer<UInt8>

    var isEmpty: Bool { bytes.isEmpty }

    /// A field of one character, such as a status.
    func letter() throws(MalformedSentence) -> UInt8? {
        if bytes.isEmpty { return nil }
        guard bytes.count == 1 else { throw MalformedSentence() }
        return bytes[0]
    }

    /// An unsigned number of at most six digits.
    @inline(__always)
    func integer() throws(MalformedSentence) -> Int? {
        if bytes.isEmpty { return nil }
        guard bytes.count <= 6, let value = digits(0..<bytes.count) else { throw MalformedSentence() }
        return value
    }

    /// `-12.50`: digits with at most one point, read as an integer and scaled by one division.
    func decimal() throws(MalformedSentence) -> Double? {
        if bytes.isEmpty { return nil }
        let isNegative = bytes[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        var (mantissa, scale, digitCount) = (Int64(0), Int64(1), 0)
        while index < bytes.count, let digit = Self.value(of: bytes[index]) {
            mantissa = mantissa &* 10 &+ Int64(digit)
            digitCount &+= 1
            index &+= 1
            // 15 digits are exact in a double; more of them say nothing a receiver can measure.
            if digitCount > 15 { throw MalformedSentence() }
        }
        if index < bytes.count {
            guard bytes[index] == UInt8(ascii: ".") else { throw MalformedSentence() }
            index &+= 1
        }
        while index < bytes.count {
            guard let digit = Self.value(of: bytes[index]) else { throw MalformedSentence() }
            index &+= 1
            digitCount &+= 1
            if digitCount > 15 { continue }
            mantissa = mantissa &* 10 &+ Int64(digit)
            scale &*= 10
        }
        guard digitCount > 0 else { throw MalformedSentence() }
        return Double(isNegative ? -mantissa : mantissa) / Double(scale)
    }

    /// `hhmmss` or `hhmmss.sss` in milliseconds of the day; second 60 is the first of the next minute.
    func timeOfDay() throws(MalformedSentence) -> Int? {
        if bytes.isEmpty { return nil }
        guard bytes.count >= 6, let hour = digits(0..<2), let minute = digits(2..<4), let second = digits(4..<6),
            hour < 24, minute < 60, second <= 60
        else { throw MalformedSentence() }
        var millis = 0
        if bytes.count > 6 {
            guard bytes[6] == UInt8(ascii: ".") else { throw MalformedSentence() }
            var weight = 100
            for byte in bytes[7...] {
                guard let digit = Self.value(of: byte) else { throw MalformedSentence() }
                millis += digit * weight
                weight /= 10
            }
        }
        return ((hour * 60 + minute) * 60 + second) * 1_000 + millis
    }

    /// `ddmm.mmmm` in degrees, always positive: the two digits before the point are minutes, whatever is before them
    /// is degrees (receivers omit leading zeros). Integers, and one division at the end. A sign, which
    /// belongs into the hemisphere field, refuses the sentence.
    func angle() throws(MalformedSentence) -> Double? {
        if bytes.isEmpty { return nil }
        var (index, whole) = (0, 0)
        while index < bytes.count, let digit = Self.value(of: bytes[index]) {
            whole = whole &* 10 &+ digit
            index &+= 1
            if index > 5 { throw MalformedSentence() }
        }
        let (degrees, minutes) = (whole / 100, whole % 100)
        guard index > 0, index == bytes.count || bytes[index] == UInt8(ascii: "."), minutes < 60
        else { throw MalformedSentence() }
        // In the smallest unit that was given, at most 1e-9 minute.
        var (units, unitsPerDegree) = (Int64(degrees &* 60 &+ minutes), Int64(60))
        index &+= 1
        while index < bytes.count {
            guard let digit = Self.value(of: bytes[index]) else { throw MalformedSentence() }
            index &+= 1
            guard unitsPerDegree < 60_000_000_000 else { continue }
            units = units &* 10 &+ Int64(digit)
            unitsPerDegree &*= 10
        }
        return Double(units) / Double(unitsPerDegree)
    }

    /// `ddmmyy`. Years 80…99 are the receiver's own zero or a week rollover, not a date to be believed (F-26, F-29).
    func date() -> DateField {
        if bytes.isEmpty { return .absent }
        guard bytes.count == 6, let day = digits(0..<2), let month = digits(2..<4), let year = digits(4..<6) else {
            return .unbelievable
        }
        return DateField(year: year < 80 ? 2_000 + year : 1_900 + year, month: month, day: day)
    }

    /// The number that these characters say; `nil` where one of them is no digit.
    @inline(__always)
    func digits(_ range: Range<Int>) -> Int? {
        var (value, index) = (0, range.lowerBound)
        while index < range.upperBound {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
            index &+= 1
        }
        return value
    }

    private static func value(of byte: UInt8) -> Int? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? Int(digit) : nil
    }
}

/// What a sentence says about the date.
enum DateField: Equatable {
    case absent
    /// Given, but impossible, or outside 2000…2079.
    case unbelievable
    /// Days since 1970-01-01.
    case day(Int64)

    init(year: Int, month: Int, day: Int) {
        let date = CivilTime(year: year, month: month, day: day)
        // Every month has 28 days: for most dates nothing needs to be computed.
        let isReal = (1...28).contains(day) && (1...12).contains(month) || date.isRealDate
        self = (2_000...2_079).contains(year) && isReal ? .day(date.dayNumber) : .unbelievable
    }
}
