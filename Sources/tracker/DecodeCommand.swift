import CLinux
import GNSSCodecs
import Glibc
import TrackerModel

/// `tracker decode FILE|-`: a recorded receiver log as one JSON object for each epoch.
///
/// The log's own times of day are its clock, so that the same log gives the same lines on every machine. Memory does
/// not grow with the log.
enum DecodeCommand {
    private static let usage = """
        usage: tracker decode FILE
               tracker decode -        (reads standard input)
        Prints one JSON object for each epoch of a recorded receiver log, and a summary on standard error.

        """

    /// Exit status: 0 read to the end (or nobody reads the output any more), 1 not readable or not writable, 2 usage.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 1, let path = arguments.first, path == "-" || !path.hasPrefix("-") else {
            complain(usage)
            return 2
        }
        signal(SIGPIPE, SIG_IGN)
        let descriptor = path == "-" ? STDIN_FILENO : linux_open(path, O_RDONLY, 0)
        guard descriptor >= 0 else {
            complain("tracker decode: cannot open \(path): \(reason()); name a readable file, or - for input\n")
            return 1
        }
        var decoding = LogDecoding(output: OutputLines())
        while let count = decoding.readBlock(from: descriptor), count > 0 {
            guard decoding.output.isOpen else { break }
        }
        if let code = decoding.readError {
            complain("tracker decode: cannot read \(path): \(reason(code)); name a file, not a directory\n")
            return 1
        }
        decoding.finish()
        if let code = decoding.output.failure, code != EPIPE {
            complain("tracker decode: cannot write: \(reason(code)); give the output more room\n")
            return 1
        }
        if decoding.output.failure == nil { complain(summary(decoding.counters)) }
        return 0
    }

    private static func summary(_ seen: GNSSCounters) -> String {
        let kinds = [
            ("RMC", seen.rmc), ("GGA", seen.gga), ("GSA", seen.gsa), ("GST", seen.gst), ("VTG", seen.vtg),
            ("ZDA", seen.zda), ("GSV", seen.gsv), ("other", seen.other),
        ]
        let list = kinds.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return """
            \(seen.bytes) bytes, \(seen.sentences) sentences\(list.isEmpty ? "" : ": " + list)
            \(seen.checksumErrors) checksum failures, \(seen.malformed) malformed, \(seen.overlong) overlong, \
            \(seen.resyncs) resyncs, \(seen.garbageBytes) bytes outside sentences
            \(seen.epochsWithFix) epochs with fix, \(seen.noFixEpochs) without, \(seen.duplicateEpochs) duplicate

            """
    }

    /// To standard error; when that is gone too, nobody is left to tell.
    private static func complain(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func reason(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}

/// The way of a log through pacer and decoder, block by block.
private struct LogDecoding {
    private static let blockSize = 65_536

    let output: OutputLines
    private(set) var readError: Int32?
    private var decoder = GNSSDecoder(config: GNSSDecoderConfig())
    private var description = LogDescription()
    private var pacer = LogPacer()
    /// What the pacer held back of the block before, then the block.
    private var pending: [UInt8] = []

    init(output: OutputLines) {
        self.output = output
        pending.reserveCapacity(Self.blockSize + 256)
    }

    var counters: GNSSCounters { decoder.counters }

    /// Reads and decodes one block; 0 at the end, `nil` on failure.
    mutating func readBlock(from descriptor: Int32) -> Int? {
        let held = pending.count
        pending.append(contentsOf: repeatElement(0, count: Self.blockSize))
        var count: Int
        repeat {
            count = pending.withUnsafeMutableBytes { all in
                let room = UnsafeMutableRawBufferPointer(rebasing: all[held...])
                return read(descriptor, room.baseAddress, room.count)
            }
        } while count < 0 && errno == EINTR
        pending.removeLast(Self.blockSize - max(0, count))
        guard count >= 0 else {
            readError = errno
            return nil
        }
        if count > 0 { decode(isLast: false) }
        return count
    }

    mutating func finish() {
        decode(isLast: true)
        let output = output
        decoder.finish { output.add($0) }
        output.flush()
    }

    private mutating func decode(isLast: Bool) {
        var decoder = decoder
        var (pacer, description) = (pacer, description)
        let output = output
        let used = pending.withUnsafeBufferPointer { block in
            let start = description.consume(block)
            let rest = UnsafeBufferPointer(rebasing: block[start...])
            return start
                + pacer.split(rest, isLast: isLast) { offset, range in
                    let instant = Instant(millis: offset)
                    decoder.expire(at: instant) { output.add($0) }
                    decoder.feed(UnsafeBufferPointer(rebasing: rest[range]), at: instant) { output.add($0) }
                }
        }
        (self.decoder, self.pacer, self.description) = (decoder, pacer, description)
        pending.removeFirst(used)
    }
}

/// Standard output in blocks.
private final class OutputLines {
    private static let blockSize = 65_536
    private var buffer: [UInt8] = []
    /// The error of the first write that failed; after it nothing is written.
    private(set) var failure: Int32?

    init() { buffer.reserveCapacity(Self.blockSize + 1_024) }

    var isOpen: Bool { failure == nil }

    func add(_ epoch: GNSSOutput) {
        guard let line = FixLine.json(epoch) else { return }
        buffer.append(contentsOf: line.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.blockSize { flush() }
    }

    func flush() {
        var written = 0
        while written < buffer.count, failure == nil {
            let count = buffer.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[written...])
                return write(STDOUT_FILENO, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                failure = errno
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
