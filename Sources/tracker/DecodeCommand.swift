import CLinux
import GNSSCodecs
import Glibc
import Recordings
import TrackerModel

/// `tracker decode FILE|-`: a recorded receiver log as one JSON object for each epoch.
///
/// The log's own times of day are its clock, so that the same log gives the same lines on every machine. Memory does
/// not grow with the log.
enum DecodeCommand {
    private static let usage = """
        usage: tracker decode FILE|- [--date YYYY-MM-DD] [--sky]
               tracker decode FILE|- --raw
        Prints one JSON object for each epoch of a recorded receiver log (- reads standard input), and a summary on
        standard error. An index of times beside the file (FILE.idx) is used.

          --date   the day on which the log begins, for logs of another year: dates of more than 512 weeks before it
                   are corrected by 1 024 weeks (the receiver's week count has rolled over), and a log whose sentences
                   have no date gets it from here. Without it a leading line "# Date: YYYY-M-D" of the log says about
                   which day its dates are of; else every date before this program was built counts as rolled over.
          --sky    list the satellites with each epoch
          --raw    list the frames instead, NMEA, UBX and RTCM in the order of the log, damaged ones too: offset,
                   length, kind, and whether the checksum is right

        """

    /// Exit status: 0 read to the end (or nobody reads the output any more), 1 not readable or not writable, 2 usage.
    static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        let day: UTCTime?
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: ["--date"], switches: ["--sky", "--raw", "--help"])
            day = try arguments.date("--date")
        } catch {
            Terminal.complain("tracker decode: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        if arguments.has("--help") {
            Terminal.print(usage)
            return ExitStatus.ok
        }
        guard arguments.operands.count == 1, let path = arguments.operands.first,
            path == "-" || !path.hasPrefix("-")
        else {
            Terminal.complain(usage)
            return ExitStatus.usage
        }
        signal(SIGPIPE, SIG_IGN)
        let descriptor = path == "-" ? STDIN_FILENO : linux_open(path, O_RDONLY, 0)
        guard descriptor >= 0 else {
            Terminal.complain(
                "tracker decode: cannot open \(path): \(reason()); name a readable file, or - for input\n")
            return ExitStatus.refused
        }
        let output = OutputLines()
        if arguments.has("--raw") {
            var listing = FrameListing(output: output)
            return finish(read(descriptor, while: output) { listing.take($0) }, path, output) { listing.finish() }
        }
        var decoding = LogDecoding(day: day, listsSatellites: arguments.has("--sky")) { epoch, source, surroundings in
            if let line = FixLine.json(epoch, source: source, with: surroundings) { output.add(line) }
        }
        let status: Int32
        do throws(RecordingFailure) {
            if path != "-", let log = try RecordingFiles.indexedLog(path) {
                decoding.take(log)
                status = finish(0, path, output) {
                    decoding.finish()
                    output.flush()
                }
            } else {
                status = finish(read(descriptor, while: output) { decoding.take($0) }, path, output) {
                    decoding.finish()
                    output.flush()
                }
            }
        } catch {
            Terminal.complain("tracker decode: \(error.text)\n")
            return ExitStatus.refused
        }
        if status == ExitStatus.ok, output.isOpen { Terminal.complain(summary(decoding)) }
        return status
    }

    /// Reads to the end in blocks. - Returns: the error that ended it early, 0 for none.
    private static func read(
        _ descriptor: Int32, while output: OutputLines, _ take: (UnsafeBufferPointer<UInt8>) -> Void
    ) -> Int32 {
        var block = [UInt8](repeating: 0, count: 65_536)
        while output.isOpen {
            let count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return 0 }
            if count > 0 {
                block.withUnsafeBufferPointer { take(UnsafeBufferPointer(rebasing: $0[..<count])) }
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    private static func finish(_ code: Int32, _ path: String, _ output: OutputLines, _ last: () -> Void) -> Int32 {
        if code != 0 {
            Terminal.complain("tracker decode: cannot read \(path): \(reason(code)); name a file, not a directory\n")
            return ExitStatus.refused
        }
        last()
        if let failure = output.failure, failure != EPIPE {
            Terminal.complain("tracker decode: cannot write: \(reason(failure)); give the output more room\n")
            return ExitStatus.refused
        }
        return ExitStatus.ok
    }

    private static func summary(_ decoding: LogDecoding) -> String {
        let seen = decoding.counters
        let kinds = [
            ("RMC", seen.rmc), ("GGA", seen.gga), ("GNS", seen.gns), ("GLL", seen.gll), ("GSA", seen.gsa),
            ("GST", seen.gst), ("GBS", seen.gbs), ("VTG", seen.vtg), ("ZDA", seen.zda), ("GSV", seen.gsv),
            ("TXT", seen.txt), ("other", seen.other),
        ]
        let list = kinds.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return """
            \(seen.bytes) bytes, \(seen.sentences) sentences\(list.isEmpty ? "" : ": " + list)
            \(seen.ubxFrames) UBX frames, \(seen.rtcmFrames) RTCM frames
            \(seen.checksumErrors) checksum failures, \(seen.ubxChecksumErrors) of UBX, \(seen.malformed) malformed, \
            \(seen.overlong) overlong, \(seen.ubxOverlong) of UBX, \(seen.resyncs) resyncs, \
            \(seen.garbageBytes) bytes outside sentences and frames
            \(seen.epochsWithFix) epochs with fix, \(seen.noFixEpochs) without, \(seen.duplicateEpochs) duplicate, \
            \(seen.supersededEpochs) sent in both protocols

            """ + decoding.remarks.map { $0 + "\n" }.joined()
    }

    private static func reason(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
