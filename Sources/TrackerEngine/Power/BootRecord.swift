/// How the last boots ended, kept over power cuts (spec power §2, F-65). Time between two boots cannot be known without
/// a clock that runs through a power cut, so that the ten minutes are counted in time that the tracker has lived.
public struct BootRecord: Equatable, Sendable {
    /// Boots that ended uncleanly within so long are a loop.
    public static let windowMillis: Int64 = 600_000
    private static let mostKept = 3

    /// How long the tracker has run since the first of `unclean`.
    public private(set) var livedMillis: Int64 = 0
    /// When unclean ends were found, on that clock; the newest three.
    private var unclean: [Int64] = []

    public init() {}

    /// Unclean boots within the window, the present one's finding included.
    public var uncleanBoots: Int { unclean.count { livedMillis - $0 <= Self.windowMillis } }

    /// A boot begins.
    /// - Parameter wasClean: the one before ended in order.
    public mutating func booted(wasClean: Bool) {
        if wasClean {
            self = BootRecord()
        } else {
            unclean = (unclean + [livedMillis]).suffix(Self.mostKept)
        }
    }

    public mutating func lived(byMillis millis: Int64) { livedMillis += millis }

    /// `LIVED FOUND FOUND…`, milliseconds.
    public var text: String { ([livedMillis] + unclean).map(String.init).joined(separator: " ") }

    public init?(text: String) {
        let numbers = text.split(separator: " ").map { Int64($0) }
        guard let lived = numbers.first ?? nil, lived >= 0, numbers.count <= Self.mostKept + 1 else { return nil }
        livedMillis = lived
        unclean = numbers.dropFirst().compactMap { $0 }.filter { (0...lived).contains($0) }
    }
}
