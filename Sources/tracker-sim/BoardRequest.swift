import DeviceSimulator

/// The words of `tracker-sim board`.
struct BoardRequest {
    private let script: String?
    private var options: SimulatedBoard.Options

    init(_ arguments: inout ArgumentList) throws(UsageFailure) {
        options = SimulatedBoard.Options(folder: try arguments.takeRequired("--folder", of: "board"))
        script = try arguments.takeOption("--script")
        if let speed = try arguments.take("--speed", "a number above 0", Command.positive) { options.speed = speed }
        options.port = try arguments.take("--port", "a port, or 0 for any", { UInt16($0) })
        options.mirrors = arguments.takeFlag("--mirror")
    }

    /// Runs until SIGTERM or SIGINT.
    func run(emit: @escaping EventSink) throws(BenchFailure) {
        let signals = try SignalInbox()
        try BenchFile.makeFolder(options.folder)
        try SimulatedBoard(try board(), options: options, emit: emit).run(signals: signals)
    }

    private func board() throws(BenchFailure) -> BoardScript {
        if let script { return try BenchFile.script(script, BoardScript.init(text:)) }
        do throws(ScriptFailure) { return try BoardScript(text: BoardScript.usual) } catch {
            throw BenchFailure(cause: error.message, remedy: "Give a script with --script.")
        }
    }
}
