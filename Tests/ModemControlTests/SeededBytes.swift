/// Lines of half-sense for a dialogue: pieces of real answers, cut and mixed.
struct SeededBytes {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    mutating func bytes() -> [UInt8] {
        let pieces = [
            "+CEREG: ", "0,1", "OK", "\r\n", "+CME ERROR: ", "99999999999999999999", "+CSQ:", ",", "\"", "\u{0}", "ÿ",
        ]
        return (0..<(1 + next() % 12)).flatMap { _ -> [UInt8] in
            next() % 4 == 0 ? [UInt8(truncatingIfNeeded: next())] : Array(pieces[Int(next() % 11)].utf8)
        }
    }
}
