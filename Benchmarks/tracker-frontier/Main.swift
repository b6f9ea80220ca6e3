import Frontier
import Glibc
import WireText

/// Runs every mode of the tracker and every rule beside it, or the one that is named, over a life or over the simulator's
/// `journeys`, and prints a JSON object a line; without a life, what lives there are.
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        if words.isEmpty { return show() }
        guard words.count <= 2, let name = words.first else { end("usage: tracker-frontier [LIFE [RULE]]", status: 2) }
        let lives = name == "journeys" ? Life.journeys : Life.fortnights.filter { $0.name == name }
        if lives.isEmpty { end("tracker-frontier: there is no life '\(name)'", status: 2) }
        do throws(Row.Failure) {
            let chosen = words.dropFirst().first
            for rule in PublishedRule.all where chosen == nil || chosen == rule.name {
                print(JSONValue.object(try Row(rule, lives).json(life: name)).text)
            }
            for mode in Mode.all where chosen == nil || chosen == mode.name {
                print(JSONValue.object(try Row(mode, lives).json(life: name)).text)
            }
        } catch { end("tracker-frontier: \(error.text)", status: 1) }
    }

    /// What lives there are.
    private static func show() {
        for life in Life.fortnights {
            let line: JSONObject = [
                "life": .string(life.name), "summary": .string(life.summary),
                "isParkedHeavy": .bool(life.isParkedHeavy),
            ]
            print(JSONValue.object(line).text)
        }
    }

    private static func end(_ text: String, status: Int32) -> Never {
        var text = text + "\n"
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(status)
    }
}
