import GNSSCodecs
import TrackerModel

/// `$`, the body, its checksum and a line end.
func sentence(_ body: String, end: String = "\r\n") -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    let hex = String(sum, radix: 16, uppercase: true)
    return "$" + body + "*" + (hex.utf8.count < 2 ? "0" : "") + hex + end
}

/// Every date is believed: most snippets are of years before this program.
let believing = GNSSDecoderConfig(buildDate: UTCTime(millis: 0))

/// Feeds a decoder as the runtime does: a burst, then the timer.
struct Bench {
    var decoder: GNSSDecoder
    private(set) var outputs: [GNSSOutput] = []

    init(_ config: GNSSDecoderConfig = believing) { decoder = GNSSDecoder(config: config) }

    /// - Returns: what this burst closed at once.
    @discardableResult mutating func feed(_ text: String, atMillis millis: Int64) -> [GNSSOutput] {
        var closed: [GNSSOutput] = []
        decoder.feed(Array(text.utf8), at: Instant(millis: millis)) { closed.append($0) }
        outputs += closed
        return closed
    }

    @discardableResult mutating func expire(atMillis millis: Int64) -> [GNSSOutput] {
        var closed: [GNSSOutput] = []
        decoder.expire(at: Instant(millis: millis)) { closed.append($0) }
        outputs += closed
        return closed
    }

    /// Of a feed that went past this bench.
    mutating func take(_ more: [GNSSOutput]) { outputs += more }

    mutating func finish() {
        var closed: [GNSSOutput] = []
        decoder.finish { closed.append($0) }
        outputs += closed
    }

    /// One burst each second, closed by its timer before the next.
    mutating func play(_ bursts: [String], fromMillis start: Int64 = 1_000) {
        for (index, burst) in bursts.enumerated() {
            let at = start + Int64(index) * 1_000
            feed(burst, atMillis: at)
            expire(atMillis: at + 500)
        }
    }

    var skies: [SkyView] { outputs.compactMap { if case .sky(let sky) = $0 { sky } else { nil } } }
    var diagnostics: [String] { outputs.compactMap { if case .diagnostic(let text) = $0 { text } else { nil } } }
    var fixes: [TrackFix] { outputs.compactMap(\.fix) }
}

extension GNSSOutput {
    var fix: TrackFix? { if case .fix(let fix) = self { fix } else { nil } }
    var isNoFix: Bool { if case .noFix = self { true } else { false } }
}

/// The fix of one burst.
func onlyFix(of bodies: String..., config: GNSSDecoderConfig = believing) -> TrackFix? {
    var bench = Bench(config)
    bench.feed(bodies.map { sentence($0) }.joined(), atMillis: 1_000)
    bench.finish()
    return bench.fixes.first
}
