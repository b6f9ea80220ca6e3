import TrackerRuntime
import WireText

/// `points` and `count`: what was stored, page by page, or as it comes.
enum PointsCommand {
    private static let usage = """
        usage: tracker points [--session ID] [--from T] [--to T] [--limit N] [--offset N] [--json]
                                                      stored points in the order of their insertion, 500 when not said
               tracker points --follow [--session ID] [--from T] [--limit N] [--json]
                                                      the newest of them, then each new one as it is stored
               tracker count [--session ID] [--from T] [--to T]
                                                      how many there are
        ID may be short. T, inclusive: 2026-05-04, 2026-05-04T07:00:00Z or milliseconds since 1970. N is 20000 at most.
        All ask the daemon: [--config FILE] [--socket PATH]

        """
    private static let follows: Set<String> = ["--session", "--from", "--limit"]
    private static let counts: Set<String> = ["--session", "--from", "--to"]
    private static let reads: Set<String> = ["--session", "--from", "--to", "--limit", "--offset"]
    /// A long answer takes its time on a small board.
    private static let timeoutMillis: Int64 = 30_000

    static func run(_ name: String, _ words: [String]) -> Int32 {
        let isFollowing = name == "points" && words.contains("--follow")
        return DaemonCommand.run(
            name, words, usage: usage, options: name == "count" ? counts : isFollowing ? follows : reads,
            switches: name == "count" ? ["--json"] : ["--json", "--follow"],
            read: { (arguments) throws(Arguments.Failure) in
                try DaemonCommand.noOperands(arguments)
                return try arguments.query()
            }
        ) { (arguments, query) throws(DaemonConnection.Failure) in
            let daemon = DaemonConnection(arguments)
            let output = Output(asJSON: arguments.has("--json"))
            if name == "count" {
                try count(daemon, query, asJSON: arguments.has("--json"))
            } else if isFollowing {
                try follow(daemon, query, output)
            } else if let next = try pages(daemon, query, output) {
                Terminal.complain("there are more; --offset \(next) goes on\n")
            }
            return ExitStatus.ok
        }
    }

    private static func count(
        _ daemon: DaemonConnection, _ query: JSONObject, asJSON: Bool
    ) throws(DaemonConnection.Failure) {
        let result = try daemon.ask("getCount", query, timeoutMillis: timeoutMillis)
        guard let count = result["count"]?.intValue else { throw .missing("count") }
        Terminal.print(asJSON ? result.text + "\n" : "\(count)\n")
    }

    /// A line a point, and which was the last.
    private final class Output {
        let asJSON: Bool
        private(set) var last: Int64 = 0

        init(asJSON: Bool) { self.asJSON = asJSON }

        /// False when nobody reads any more.
        func show(_ point: JSONValue) -> Bool {
            last = max(last, point["id"]?.intValue ?? 0)
            return Terminal.write(Array(((asJSON ? point.text : TrackPage.point(point)) + "\n").utf8))
        }
    }

    /// Asks for page after page until there are no more, or as many as were wanted: a reply holds 1 MiB.
    /// - Returns: the offset at which it goes on, when there are more than were wanted.
    private static func pages(
        _ daemon: DaemonConnection, _ query: JSONObject, _ output: Output
    ) throws(DaemonConnection.Failure) -> Int64? {
        var query = query
        let offset = query["offset"]?.intValue ?? 0
        let wanted = query["limit"]?.intValue ?? 500
        var shown: Int64 = 0
        while true {
            let result = try daemon.ask("getPoints", query, timeoutMillis: timeoutMillis)
            guard let points = result["points"]?.arrayValue else { throw .missing("points") }
            for point in points where !output.show(point) { return nil }
            shown += Int64(points.count)
            guard result["next"] != nil, !points.isEmpty else { return nil }
            if shown >= wanted { return offset + shown }
            // By row, not by offset: what is deleted meanwhile must not shift the next page.
            query["afterID"] = .int(output.last)
            query["offset"] = nil
            query["limit"] = .int(wanted - shown)
        }
    }

    private static func follow(
        _ daemon: DaemonConnection, _ query: JSONObject, _ output: Output
    ) throws(DaemonConnection.Failure) {
        var isRead = true
        try daemon.follow("observePoints", query) { result in
            for point in result["points"]?.arrayValue ?? [] where isRead { isRead = output.show(point) }
        } _: { event in
            if event["event"]?.stringValue == "dropped" {
                // Too slow for the daemon's queue; the points are stored, and what still waits there is passed over.
                var missed = query
                missed["limit"] = 20_000
                missed["afterID"] = .int(output.last)
                return isRead && (try? pages(daemon, missed, output)) != nil
            }
            guard let point = event["data"], point["id"]?.intValue ?? 0 > output.last else { return isRead }
            return isRead && output.show(point)
        }
    }
}
