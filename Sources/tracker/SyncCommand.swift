import LinuxIO
import TrackerRuntime
import WireText

/// `sync`: the upload in the operator's hand.
enum SyncCommand {
    private static let usage = """
        usage: tracker sync status                    queue, endpoint, back-off, counts of the last days
               tracker sync now                       upload at once, wait for the outcome
               tracker sync request                   upload soon
               tracker sync test                      one exchange without points, step by step
               tracker sync configure --url URL [--method M] [--header 'NAME: VALUE' …] [--headers-from FILE|-]
                                      [--credential-file PATH]
                                                      where points go, kept apart from the configuration file
               tracker sync configure --from-file     forget that again
               tracker sync resume                    go on after the server forbade it (403)
               tracker sync wipe --yes                delete the queued points
               tracker sync quarantine list | retry [ID…] | drop [ID…]
                                                      points that the server refused; all without ID
               tracker sync events                    what happens, as it happens
        All ask the daemon: [--json] [--config FILE] [--socket PATH]. A header on the command line can be seen by
        others on this machine; --headers-from - reads lines from standard input.

        """
    private static let optionNames: Set<String> = [
        "--url", "--method", "--header", "--headers-from", "--credential-file",
    ]
    /// A drain ends after 20 requests, each bounded by upload.totalTimeoutSec.
    private static let drainMillis: Int64 = 3_600_000
    private static let testMillis: Int64 = 600_000

    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run(
            "sync", Array(words.dropFirst()), usage: usage, options: optionNames,
            switches: ["--json", "--yes", "--from-file"], read: { _ in }
        ) { (arguments, _) throws(DaemonConnection.Failure) in try perform(words.first ?? "", arguments) }
    }

    /// `nil` for what is no command.
    private static func perform(
        _ name: String, _ arguments: Arguments
    ) throws(DaemonConnection.Failure) -> Int32? {
        let daemon = DaemonConnection(arguments)
        switch (name, arguments.operands.count) {
        case ("status", 0): show(try daemon.ask("sync.status"), arguments, SyncPage.status)
        case ("request", 0): show(try daemon.ask("sync.request"), arguments, SyncPage.status)
        case ("resume", 0): show(try daemon.ask("sync.resume"), arguments, SyncPage.status)
        case ("now", 0):
            let result = try daemon.ask("sync.now", timeoutMillis: drainMillis)
            show(result, arguments, SyncPage.outcome)
            let isDone = ["uploaded", "empty"].contains(result["outcome"]?.stringValue ?? "")
            return isDone ? ExitStatus.ok : ExitStatus.refused
        case ("test", 0):
            let result = try daemon.ask("sync.test", timeoutMillis: testMillis)
            show(result, arguments, SyncPage.steps)
            return result["ok"]?.boolValue == true ? ExitStatus.ok : ExitStatus.refused
        case ("configure", 0): return try configure(daemon, arguments)
        case ("wipe", 0):
            guard arguments.has("--yes") else {
                throw .refused("this deletes every queued point; say --yes if that is meant")
            }
            try showCount(try daemon.ask("sync.wipe"), arguments, "deleted")
        case ("quarantine", 1...): return try quarantine(daemon, arguments)
        case ("events", 0):
            try daemon.follow("sync.events") { Terminal.write($0.bytes + [UInt8(ascii: "\n")]) }
        default: return nil
        }
        return ExitStatus.ok
    }

    private static func show(_ result: JSONValue, _ arguments: Arguments, _ page: (JSONValue) -> String) {
        Terminal.print(arguments.has("--json") ? result.text + "\n" : page(result))
    }

    private static func showCount(
        _ result: JSONValue, _ arguments: Arguments, _ word: String
    ) throws(DaemonConnection.Failure) {
        guard let count = result["count"]?.intValue else { throw .missing("count") }
        show(result, arguments) { _ in "\(count) points \(word)\n" }
    }

    private static func configure(
        _ daemon: DaemonConnection, _ arguments: Arguments
    ) throws(DaemonConnection.Failure) -> Int32? {
        if arguments.has("--from-file") {
            guard arguments.value("--url") == nil else { return nil }
            show(try daemon.ask("sync.useFile"), arguments, SyncPage.status)
            return ExitStatus.ok
        }
        guard let url = arguments.value("--url") else { return nil }
        var request: JSONObject = ["url": .string(url)]
        request["method"] = arguments.value("--method").map { .string($0) }
        request["credentialFile"] = arguments.value("--credential-file").map { .string($0) }
        var headers = arguments.all("--header")
        if let path = arguments.value("--headers-from") { headers += try lines(of: path) }
        if !headers.isEmpty { request["headers"] = .array(headers.map { .string($0) }) }
        show(try daemon.ask("sync.configure", request), arguments, SyncPage.status)
        return ExitStatus.ok
    }

    /// Header lines of a file, `-` for standard input; empty ones and comments are left out.
    private static func lines(of path: String) throws(DaemonConnection.Failure) -> [String] {
        do throws(SystemFailure) {
            let bytes = try AtomicFile.read(path: path == "-" ? "/dev/stdin" : path)
            let lines = String(decoding: bytes, as: UTF8.self).split { $0.isNewline }.map(String.init)
            return lines.filter { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("#") }
        } catch { throw .refused("\(error); give the path of a readable file to --headers-from") }
    }

    private static func quarantine(
        _ daemon: DaemonConnection, _ arguments: Arguments
    ) throws(DaemonConnection.Failure) -> Int32? {
        let words = arguments.operands.dropFirst()
        let ids = words.compactMap { Int64($0) }
        guard ids.count == words.count else { return nil }
        var request = JSONObject()
        if !ids.isEmpty { request["ids"] = .array(ids.map { .int($0) }) }
        switch arguments.operands.first {
        case "list" where ids.isEmpty: show(try daemon.ask("sync.quarantine"), arguments, SyncPage.quarantine)
        case "retry":
            try showCount(try daemon.ask("sync.quarantine.retry", request), arguments, "queued again")
        case "drop": try showCount(try daemon.ask("sync.quarantine.drop", request), arguments, "deleted")
        default: return nil
        }
        return ExitStatus.ok
    }
}
