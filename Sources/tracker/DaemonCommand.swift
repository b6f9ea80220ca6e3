/// What the commands that ask the daemon have in common: reading their words, and saying what went wrong.
enum DaemonCommand {
    /// - Parameters:
    ///   - options: beside those that name the daemon.
    ///   - read: what the words ask for, before anything is asked.
    ///   - perform: returns the exit status; `nil` when the words are not understood.
    static func run<Wish>(
        _ name: String, _ words: [String], usage: String, options: Set<String> = [], switches: Set<String> = ["--json"],
        read: (Arguments) throws(Arguments.Failure) -> Wish,
        _ perform: (Arguments, Wish) throws(DaemonConnection.Failure) -> Int32?
    ) -> Int32 {
        let arguments: Arguments
        let wish: Wish
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: DaemonConnection.options.union(options), switches: switches)
            wish = try read(arguments)
        } catch {
            Terminal.complain("tracker \(name): \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        do throws(DaemonConnection.Failure) {
            if let status = try perform(arguments, wish) { return status }
            Terminal.complain(usage)
            return ExitStatus.usage
        } catch {
            Terminal.complain("tracker \(name): \(error.message)\n")
            return error.status
        }
    }

    /// For a command that takes nothing but options.
    static func noOperands(_ arguments: Arguments) throws(Arguments.Failure) {
        if let word = arguments.operands.first { throw .init(message: "'\(word)' is not expected") }
    }
}
