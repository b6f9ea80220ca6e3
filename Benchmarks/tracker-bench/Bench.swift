import Glibc
import Ports
import WireText

/// Measures one thing and prints it as one JSON object; `scripts/bench` asks, compares and judges.
@main
enum Bench {
    private static let usage = """
        usage: tracker-bench decode FILE [--repeat N]    N times the log, as one stream; the last N-1 are measured
               tracker-bench pace FILE                   cutting the log into bursts
               tracker-bench engine [--repeat DAYS]      a mixed day of fixes and stillness through the engine
               tracker-bench pipeline [--repeat DAYS]    the same with every fix judged
               tracker-bench motion                      stillness, steps and activity of an hour at 50 Hz
               tracker-bench wire PORT CAFILE            bytes a point on the link, by format and batch, to an HTTPS
                                                         server on this host
                tracker-bench store FILE [--repeat N]     opening a database and committing N points to it, one by one

        """

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard let command = words.first else { end(usage, status: 2) }
        if command == "wire" {
            let rest = Array(words.dropFirst())
            guard rest.count == 2, let port = UInt16(rest[0]) else { end(usage, status: 2) }
            guard let bench = WireBench(server: port, authorities: rest[1]) else {
                end("tracker-bench: no event loop here\n", status: 1)
            }
            print(bench.run().text)
            return
        }
        if command == "motion", words.count == 1 {
            print(JSONValue.object(MotionBench.run(seconds: 3_600)).text)
            return
        }
        let isEngine = command == "engine" || command == "pipeline"
        guard let path = words.dropFirst().first ?? (isEngine ? "" : nil) else { end(usage, status: 2) }
        let rest = Array(words.dropFirst(isEngine ? 1 : 2))
        var repeats = isEngine ? 1 : 2
        if !rest.isEmpty {
            guard rest.count == 2, rest[0] == "--repeat", let number = Int(rest[1]), (1...100_000).contains(number)
            else { end(usage, status: 2) }
            repeats = number
        }
        if isEngine {
            var bench = EngineBench(everyFix: command == "pipeline")
            print(JSONValue.object(bench.run(days: repeats)).text)
            return
        }
        if command == "store" {
            do throws(StoreFailure) { print(JSONValue.object(try StoreBench.run(path, commits: repeats)).text) } catch {
                end("tracker-bench: \(error.cause); \(error.remedy)\n", status: 1)
            }
            return
        }
        guard let bytes = LogBytes.read(path) else {
            end("tracker-bench: cannot read \(path); name a file that is not empty\n", status: 1)
        }
        switch command {
        case "decode":
            var bench = DecodeBench(bytes)
            print(JSONValue.object(bench.run(repeats: repeats)).text)
        case "pace": print(JSONValue.object(PaceBench.run(bytes)).text)
        default: end(usage, status: 2)
        }
    }

    private static func end(_ text: String, status: Int32) -> Never {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(status)
    }
}
