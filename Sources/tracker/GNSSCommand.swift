import GNSSCodecs
import Glibc
import LinuxIO
import TrackerGeo
import TrackerModel
import TrackerRuntime
import WireText

/// `gnss`: the receiver, its sky, its bytes.
enum GNSSCommand {
    private static let usage = """
        usage: tracker gnss status [--json]           what the receiver is and does
               tracker gnss sky [--json]              satellites as a plot and bars of their strength
               tracker gnss reset [hot|warm|cold]     restart the receiver (hot when not said)
               tracker gnss raw --follow              its bytes as they come, on standard output
               tracker gnss calibrate --point LAT,LON[;LAT,LON…] (--minutes N | FILE…)
                                                      does the accuracy radius hold? against a surveyed point or line
        All but calibrate with FILE ask the daemon: [--config FILE] [--socket PATH]

        """

    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run(
            "gnss", Array(words.dropFirst()), usage: usage, options: ["--point", "--minutes"],
            switches: ["--json", "--follow"], read: { _ in }
        ) { (arguments, _) throws(DaemonConnection.Failure) in
            switch (words.first, arguments.operands.count) {
            case ("status", 0): try status(arguments)
            case ("sky", 0): try sky(arguments)
            case ("reset", 0...1): try reset(arguments)
            case ("raw", 0) where arguments.has("--follow"): try raw(arguments)
            case ("calibrate", _): return try CalibrateCommand.run(arguments)
            default: return nil
            }
            return ExitStatus.ok
        }
    }

    private static func status(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let result = try DaemonConnection(arguments).ask("gnss")
        guard !arguments.has("--json"), let receiver = result["receiver"]?.objectValue else {
            return Terminal.print(result.text + "\n")
        }
        Terminal.print(rows(receiver))
    }

    /// A line a field; what has fields of its own is indented under its name.
    private static func rows(_ object: JSONObject, indent: String = "") -> String {
        zip(object.names, object.values).map { name, value in
            if let inner = value.objectValue { return indent + name + "\n" + rows(inner, indent: indent + "  ") }
            let label = indent + name
            return label + String(repeating: " ", count: max(1, 18 - label.count)) + value.plain + "\n"
        }.joined()
    }

    private static func sky(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let result = try DaemonConnection(arguments).ask("gnss")
        guard let sky = result["sky"] else {
            throw .refused("the receiver has not reported satellites yet; ask again in a few seconds")
        }
        Terminal.print(arguments.has("--json") ? sky.text + "\n" : SkyPage.text(SkyView(json: sky)))
    }

    private static func reset(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let mode = arguments.operands.first ?? "hot"
        let result = try DaemonConnection(arguments).ask("gnss.reset", ["mode": .string(mode)])
        Terminal.print((result["message"]?.stringValue ?? "done") + "\n")
    }

    private static func raw(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        try DaemonConnection(arguments).follow("gnss.raw") { data in
            guard let bytes = data["hex"]?.stringValue.flatMap(Hex.bytes) else { return true }
            return Terminal.write(bytes)
        }
    }
}
