import GNSSCodecs
import Glibc
import Recordings
import TrackerModel
import WireText

/// The way of a log through pacer and decoder, block by block.
struct LogDecoding {
    private static let patienceMillis: Int64 = 10_000
    private static let mostRemarks = 20

    private let onEpoch: (GNSSOutput, String, FixLine.Surroundings) -> Void
    private let day: UTCTime?
    private let believesDates: Bool
    /// Made once the log's description, which may have its date, is read.
    private var decoder: GNSSDecoder?
    private var description = LogDescription()
    private var pacer = LogPacer()
    /// The protocol of the newest epoch, which the decoder tells ahead of it.
    private let source = NewestSource()
    private var context = FixLine.Surroundings()
    private var skyAt = Instant.zero
    /// When the newest bytes were read.
    private var newest = Instant.zero
    /// What the pacer held back of the block before, then the block.
    private var pending: [UInt8] = []
    /// What people should know about the log, each once.
    private(set) var remarks: [String] = []

    /// - Parameters:
    ///   - day: on which the log begins, for logs of another year.
    ///   - believesDates: takes dates as they are where neither `day` nor the log's description tells better; else
    ///     those before this program was built count as rolled over.
    ///   - onEpoch: takes each epoch, with or without fix, the protocol it came in, and what is known besides.
    init(
        day: UTCTime?, believesDates: Bool = false, listsSatellites: Bool = false,
        onEpoch: @escaping (GNSSOutput, String, FixLine.Surroundings) -> Void
    ) {
        self.onEpoch = onEpoch
        self.day = day
        self.believesDates = believesDates
        context.listsSatellites = listsSatellites
        pending.reserveCapacity(68_000)
    }

    var counters: GNSSCounters { decoder?.counters ?? GNSSCounters() }

    /// Decodes one block.
    mutating func take(_ block: UnsafeBufferPointer<UInt8>) {
        pending.append(contentsOf: block)
        decode(isLast: false)
    }

    /// Decodes a log whose index tells when each part was read.
    mutating func take(_ log: ReceiverLog) {
        var decoder = decoder ?? makeDecoder()
        log.bytes.withUnsafeBufferPointer { bytes in
            for (nanos, range) in log.chunks {
                newest = Instant(nanos: nanos)
                decoder.expire(at: newest) { add($0, at: newest) }
                decoder.feed(UnsafeBufferPointer(rebasing: bytes[range]), at: newest) { add($0, at: newest) }
            }
        }
        self.decoder = decoder
    }

    private func makeDecoder() -> GNSSDecoder {
        var decoder = GNSSDecoder(config: config)
        decoder.onSource = { [source] in source.name = $0.rawValue }
        return decoder
    }

    /// The log has ended.
    mutating func finish() {
        decode(isLast: true)
        guard var decoder else { return }
        decoder.finish { add($0, at: newest) }
        self.decoder = decoder
    }

    private mutating func decode(isLast: Bool) {
        let bytes = pending
        let used = bytes.withUnsafeBufferPointer { block in
            let start = description.consume(block)
            if decoder == nil, description.isOver || isLast {
                decoder = makeDecoder()
            }
            guard var decoder else { return start }
            let rest = UnsafeBufferPointer(rebasing: block[start...])
            var pacer = pacer
            let end = pacer.split(rest, isLast: isLast) { offset, range in
                let instant = Instant(millis: offset)
                newest = instant
                decoder.expire(at: instant) { add($0, at: instant) }
                decoder.feed(UnsafeBufferPointer(rebasing: rest[range]), at: instant) { add($0, at: instant) }
            }
            (self.decoder, self.pacer) = (decoder, pacer)
            return start + end
        }
        pending.removeFirst(used)
    }

    private var config: GNSSDecoderConfig {
        var config = believesDates ? GNSSDecoderConfig(buildDate: UTCTime(millis: 0)) : GNSSDecoderConfig()
        if let day {
            config.trustRecording(of: day, isFirstDay: true)
        } else if let date = description.date {
            config.trustRecording(of: date.utc, isFirstDay: false)
        }
        return config
    }

    private mutating func add(_ item: GNSSOutput, at instant: Instant) {
        switch item {
        case .sky(let sky): (context.sky, skyAt) = (sky, instant)
        case .health(let health): context.antenna = health.antenna ?? context.antenna
        case .identity(let identity):
            let facts = [identity.family.rawValue, identity.model, identity.firmware].compactMap { $0 }
            remark("receiver: " + facts.joined(separator: ", "))
        case .diagnostic(let text):
            let advice = text == "gnss_week_rollover_corrected" ? " (for a log of another year give --date)" : ""
            remark("diagnostic: " + text + advice)
        case .notice(let text): remark("receiver says: " + text)
        case .reply: break
        case .fix, .noFix:
            if instant.millis(since: skyAt) > Self.patienceMillis { context.sky = nil }
            onEpoch(item, source.name, context)
        }
    }

    private mutating func remark(_ text: String) {
        if remarks.count < Self.mostRemarks, !remarks.contains(text) { remarks.append(text) }
    }
}

/// Shared with the decoder's callback.
private final class NewestSource {
    var name = EpochSource.nmea.rawValue
}
