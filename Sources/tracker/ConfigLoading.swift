import ConfigFile
import LinuxIO
import Ports
import TrackerRuntime

/// The configuration that the daemon will use: the supplied file, or the last one that was good.
struct LoadedConfig {
    var config: TrackerConfig
    /// For `status`: problems of the supplied file, unknown keys.
    var warnings: [String]
    var source: String
    /// Keys that the file has which is used.
    var given: Set<String>

    /// Where the last good configuration is kept, below the state directory. It may hold credentials: mode 0600.
    private static let lastGoodName = "config.last-good.yaml"

    /// - Parameter stateDir: the operator's choice; else what the file says, else the service manager's, else the default.
    /// - Throws: every problem of the supplied file, when there is no last good one either.
    init(path: String, stateDir: String?, environmentStateDir: String?) throws(ConfigFailure) {
        do throws(ConfigFailure) {
            let bytes = try Self.bytes(of: path)
            let resolved = try ConfigTable.resolve(try YAMLFile.entries(of: bytes))
            config = resolved.config
            if let stateDir { config.stateDir = stateDir }
            warnings = resolved.warnings.map { ConfigCommand.text($0, in: path) }
            source = "supplied"
            given = resolved.given
            keep(bytes)
        } catch {
            let defaults = TrackerConfig()
            let directories = [stateDir, Self.stateDir(in: path), environmentStateDir, defaults.stateDir].compactMap {
                $0
            }
            guard let found = Self.lastGood(in: directories) else { throw error }
            config = found.config
            if let stateDir { config.stateDir = stateDir }
            warnings =
                error.problems.map { ConfigCommand.text($0, in: path) }
                + ["the configuration has errors and is not used; running on the last good one"]
            source = "lastGood"
            given = found.given
        }
    }

    private static func bytes(of path: String) throws(ConfigFailure) -> [UInt8] {
        do throws(SystemFailure) { return try AtomicFile.read(path: path) } catch {
            throw ConfigFailure(problems: [
                ConfigProblem(line: 0, message: "\(error); give the path of a readable file to --config")
            ])
        }
    }

    /// The state directory that a file names even though something else in it is wrong.
    private static func stateDir(in path: String) -> String? {
        guard let entries = try? YAMLFile.read(path: path) else { return nil }
        return entries.last { $0.path == "service.stateDir" }?.text
    }

    private static func lastGood(in directories: [String]) -> ResolvedConfig? {
        for directory in directories {
            guard let entries = try? YAMLFile.read(path: directory + "/" + lastGoodName),
                let resolved = try? ConfigTable.resolve(entries)
            else { continue }
            return resolved
        }
        return nil
    }

    /// Best effort: a state directory that cannot be written is reported when the database is opened.
    private func keep(_ bytes: [UInt8]) {
        try? AtomicFile.makeDirectories(config.stateDir, mode: 0o750)
        let path = config.stateDir + "/" + Self.lastGoodName
        if (try? AtomicFile.read(path: path)) != bytes { try? AtomicFile.write(path: path, bytes: bytes, mode: 0o600) }
    }
}
