import ConfigFile
import Ports
import TrackerRuntime

/// A configuration file: entries with their lines, or problems with theirs; and the table takes any entries.
enum YAMLProperties {
    static func check(_ bytes: [UInt8]) {
        // A line may also end with CR, NEL, LS or PS (YAML 1.1 §4.1.4): the last two bytes of a line end are counted.
        let lines = 1 + bytes.count { [0x0A, 0x0D, 0x85, 0xA8, 0xA9].contains($0) }
        do throws(ConfigFailure) {
            let entries = try YAMLFile.entries(of: bytes)
            for entry in entries {
                require((1...lines).contains(entry.line), "an entry names its line: \(entry)")
                require(!entry.path.isEmpty, "an entry has a path: \(entry)")
            }
            _ = try ConfigTable.resolve(entries)
        } catch {
            require(!error.problems.isEmpty, "a refusal says why")
            for problem in error.problems {
                require((0...lines + 1).contains(problem.line), "a problem names a line of the file: \(problem)")
                require(!problem.message.isEmpty, "a problem says what it is")
            }
        }
    }
}
