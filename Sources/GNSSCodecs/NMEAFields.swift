import TrackerModel

/// The fields of a sentence from left to right, after its address.
struct NMEAFields {
    /// How many fields are still to come.
    var remaining: Int { ends.count }
    /// The first two letters of the address.
    var talker: UInt16 { body.count < 2 ? 0 : UInt16(body[0]) << 8 | UInt16(body[1]) }
    private let body: UnsafeBufferPointer<UInt8>
    /// Where the fields that are still to come end.
    private var ends: NMEASeparators
    private var at: Int

    /// - Parameters:
    ///   - body: what is between `$` and `*`, at most 127 characters.
    ///   - commas: where it has them.
    @inline(__always)
    init(_ body: UnsafeBufferPointer<UInt8>, commas: NMEASeparators) {
        self.body = body
        ends = commas
        ends.insert(1, at: body.count)
        at = (ends.removeFirst() ?? body.count) + 1
    }

    /// The last field, which stays to come.
    var last: NMEAField {
        var rest = ends
        _ = rest.removeLast()
        let start = rest.removeLast().map { $0 + 1 } ?? at
        return NMEAField(bytes: UnsafeBufferPointer(rebasing: body[min(start, body.count)...]))
    }

    /// The next field; empty after the last.
    @inline(__always)
    mutating func next() -> NMEAField {
        let end = ends.removeFirst() ?? body.count
        // Never beyond the end: separators come in order, and the last is at the end.
        let range = Range(uncheckedBounds: (min(at, end), end))
        at = end &+ 1
        return NMEAField(bytes: UnsafeBufferPointer(rebasing: Slice(base: body, bounds: range)))
    }

    @inline(__always)
    mutating func skip(_ fields: Int) {
        for _ in 0..<fields { at = (ends.removeFirst() ?? body.count) &+ 1 }
    }

    /// Latitude, hemisphere, longitude, hemisphere: all four, or neither number.
    @inline(__always)
    mutating func position() -> PositionField {
        let (latitude, northSouth, longitude, eastWest) = (next(), next(), next(), next())
        if latitude.isEmpty, longitude.isEmpty { return .absent }
        guard let north = try? latitude.angle(), let east = try? longitude.angle(),
            let northSign = Self.sign(northSouth, positive: "N", negative: "S"),
            let eastSign = Self.sign(eastWest, positive: "E", negative: "W")
        else { return .unreadable }
        return .coordinate(Coordinate(latitude: north * northSign, longitude: east * eastSign))
    }

    private static func sign(_ field: NMEAField, positive: Unicode.Scalar, negative: Unicode.Scalar) -> Double? {
        switch try? field.letter() {
        case UInt8(ascii: positive): 1
        case UInt8(ascii: negative): -1
        default: nil
        }
    }
}

/// What a sentence says about the position.
enum PositionField {
    case absent
    /// Damage in a sentence that claims a fix; without one some receivers send 8960.0000, which means nothing.
    case unreadable
    case coordinate(Coordinate)

    /// - Parameter isFix: the sentence claims a fix.
    func coordinate(isFix: Bool) throws(MalformedSentence) -> Coordinate? {
        switch self {
        case .absent: return nil
        case .coordinate(let coordinate): return coordinate
        case .unreadable:
            if isFix { throw MalformedSentence() }
            return nil
        }
    }
}
