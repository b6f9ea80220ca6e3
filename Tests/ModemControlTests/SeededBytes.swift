import TestKit

/// Lines of half-sense for a dialogue: pieces of real answers, cut and mixed.
struct SeededBytes {
    private static let pieces = [
        "+CEREG: ", "0,1", "OK", "\r\n", "+CME ERROR: ", "99999999999999999999", "+CSQ:", ",", "\"", "\u{0}", "ÿ",
    ]
    private var random: SeededRandom

    init(_ seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func bytes() -> [UInt8] {
        (0..<Int.random(in: 1...12, using: &random)).flatMap { _ -> [UInt8] in
            Int.random(in: 0..<4, using: &random) == 0
                ? [UInt8.random(in: .min ... .max, using: &random)]
                : Array((Self.pieces.randomElement(using: &random) ?? "").utf8)
        }
    }
}
