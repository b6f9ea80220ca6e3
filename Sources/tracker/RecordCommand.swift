import CLinux
import Glibc
import LinuxIO
import TrackerRuntime
import WireText

/// `tracker record`: writes down what the daemon's receiver and accelerometer say, line by line.
enum RecordCommand {
    private static let usage = """
        usage: tracker record --out FILE [--motion FILE] [--raw FILE] [--seconds N] [--force]
        Records from the running daemon until Ctrl-C, or for N seconds.
          --out      every fix of the receiver, as tracker replay plays it
          --motion   samples of the accelerometer, for replay --motion
          --raw      the receiver's bytes, and FILE.idx with their times
          --force    write over files that exist, as soon as there is something to write
        [--config FILE] [--socket PATH] name the daemon

        """
    /// Then something may be wrong, and is told once: a receiver speaks once a second even without a fix, but its fixes may be away so long.
    private static let silenceMillis: Int64 = 30_000

    static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        let seconds: Int64?
        do throws(Arguments.Failure) {
            arguments = try Arguments(
                words, options: DaemonConnection.options.union(["--out", "--motion", "--raw", "--seconds"]),
                switches: ["--force", "--help"])
            if let word = arguments.operands.first { throw .init(message: "'\(word)' is not expected") }
            seconds = try duration(arguments.value("--seconds"))
            if arguments.value("--out") == nil, !arguments.has("--help") { throw .init(message: "--out is missing") }
        } catch {
            Terminal.complain("tracker record: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        if arguments.has("--help") {
            Terminal.print(usage)
            return ExitStatus.ok
        }
        return record(arguments, seconds)
    }

    private static func duration(_ text: String?) throws(Arguments.Failure) -> Int64? {
        guard let text else { return nil }
        guard let seconds = Int64(text), (1...31_536_000).contains(seconds) else {
            throw .init(message: "--seconds is 1…31536000, not '\(text)'")
        }
        return seconds
    }

    private static func record(_ arguments: Arguments, _ seconds: Int64?) -> Int32 {
        let signals = linux_signalfd([SIGINT, SIGTERM], 2)
        defer { close(signals) }
        var files: RecordFiles
        do throws(Arguments.Failure) { files = try RecordFiles(arguments) } catch {
            Terminal.complain("tracker record: \(error.message)\n")
            return ExitStatus.refused
        }
        defer { if files.isEmpty { files.discard() } }
        let begun = now()
        var heard = begun
        var isSilent = false
        var ending = Ending.daemonGone
        do throws(DaemonConnection.Failure) {
            let isWanted = { () -> Bool in
                if linux_signal_read(signals) > 0 { ending = .asked }
                if let seconds, now() - begun >= seconds * 1_000 { ending = .asked }
                if !isSilent, now() - heard >= silenceMillis {
                    isSilent = true
                    Terminal.complain(silence)
                }
                return ending == .daemonGone
            }
            try DaemonConnection(arguments).listen(to: files.topics, while: isWanted) { event in
                heard = now()
                isSilent = false
                files.take(event)
                return files.problem == nil
            }
        } catch {
            Terminal.complain("tracker record: \(error.message)\n")
            if files.isEmpty { return error.status }
        }
        Terminal.print(files.summary(millis: now() - begun) + "\n")
        if let problem = files.problem {
            Terminal.complain("tracker record: \(problem)\n")
            return ExitStatus.refused
        }
        return status(ending)
    }

    private enum Ending {
        case daemonGone
        case asked
    }

    private static func status(_ ending: Ending) -> Int32 {
        switch ending {
        case .asked: return ExitStatus.ok
        case .daemonGone:
            Terminal.complain("tracker record: the daemon is gone; what is recorded so far is whole\n")
            return ExitStatus.notReachable
        }
    }

    /// A tunnel is as silent as a fault, so the recording goes on.
    private static let silence =
        "tracker record: nothing came for \(silenceMillis / 1_000) s, still waiting; see device-cli status for the receiver\n"

    private static func now() -> Int64 { linux_clock_nanos(CLOCK_BOOTTIME) / 1_000_000 }
}
