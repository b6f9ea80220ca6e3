import GNSSCodecs
import LinuxIO
import TrackJudge
import TrackerModel
import WireText

/// `tracker judge TRACK --truth TRUTH`: how far a track is from the truth.
enum JudgeCommand {
    private static let usage = """
        usage: tracker judge TRACK --truth TRUTH [--json] [--date YYYY-MM-DD]
        Scores a track against the truth of the same time and prints errors of points and line, length, false and missed
        movement, sharp turns and gaps. docs/modules/judge.md defines each number.

        Each file is a location recording (JSON Lines with t, lat, lon, acc), GPX, CSV with a header that names time, lat
        and lon, or a raw receiver log (NMEA, UBX); its content decides which.

          --json   one JSON object instead of the page
          --date   about the day of raw logs whose receiver's week count had rolled over (dates of 1 024 weeks ago)

        """

    /// Exit status: 0 judged, 1 a file cannot be read or the two do not fit, 2 usage.
    static func run(_ words: [String]) -> Int32 {
        let day: UTCTime?
        let arguments: Arguments
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: ["--truth", "--date"], switches: ["--json", "--help"])
            day = try arguments.date("--date")
        } catch {
            Terminal.complain("tracker judge: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        if arguments.has("--help") {
            Terminal.print(usage)
            return ExitStatus.ok
        }
        guard arguments.operands.count == 1, let trackPath = arguments.operands.first,
            let truthPath = arguments.value("--truth")
        else {
            Terminal.complain("tracker judge: name one track, and the truth with --truth\n" + usage)
            return ExitStatus.usage
        }
        do throws(Refusal) {
            let track = try recording(trackPath, day)
            let truth = try recording(truthPath, day)
            let report = try report(trackPath, track, truthPath, truth)
            Terminal.print(arguments.has("--json") ? JSONValue.object(report.json).text + "\n" : report.page)
            return ExitStatus.ok
        } catch {
            Terminal.complain("tracker judge: \(error.text)\n")
            return ExitStatus.refused
        }
    }

    private struct Refusal: Error {
        var text: String
    }

    private static func report(
        _ trackPath: String, _ track: Recording, _ truthPath: String, _ truth: Recording
    ) throws(Refusal) -> JudgeReport {
        do throws(JudgeFailure) {
            return JudgeReport(
                try Judge.judge(track: track, truth: truth), track: (trackPath, track), truth: (truthPath, truth))
        } catch {
            throw Refusal(text: "\(error.cause); \(error.remedy)")
        }
    }

    private static func recording(_ path: String, _ day: UTCTime?) throws(Refusal) -> Recording {
        let bytes: [UInt8]
        do throws(SystemFailure) { bytes = try AtomicFile.read(path: path, limit: Int(Int32.max)) } catch {
            // The call names what it opened; a call on what is open names nothing.
            throw Refusal(text: (error.subject.isEmpty ? "\(path): " : "") + "\(error); name a readable file")
        }
        do throws(JudgeFailure) {
            return try Recording.read(bytes, name: path) { decoded($0, day) }
        } catch {
            throw Refusal(text: error.text(file: path))
        }
    }

    /// What a receiver sent, decoded: its fixes that have a date.
    private static func decoded(_ bytes: [UInt8], _ day: UTCTime?) -> Recording {
        var positions: [TimedPosition] = []
        var undated = 0
        var decoding = LogDecoding(day: day, believesDates: true) { epoch, _, _ in
            guard case .fix(let fix) = epoch, fix.coordinate.isValid else { return }
            guard let time = fix.time else {
                undated += 1
                return
            }
            positions.append(
                TimedPosition(
                    time: time, position: fix.coordinate, accuracyM: fix.accuracyM > 0 ? fix.accuracyM : nil))
        }
        bytes.withUnsafeBufferPointer { decoding.take($0) }
        decoding.finish()
        return Recording(
            format: .receiverLog, positions: positions,
            notes: undated > 0 ? ["\(undated) fixes without a date are left out"] : [])
    }
}
