import Ports

/// Flattens a stream of YAML events into dotted scalars, and notes what has no place in a configuration.
///
/// It goes on after a problem, leaving out what the problem covers, so that one look at the report is enough.
struct YAMLReader {
    private(set) var entries: [ConfigEntry] = []
    private(set) var problems: [ConfigProblem] = []

    /// `service.stateDir` has two; the deepest key of the table three.
    private static let deepestMap = 8
    /// Beyond this it is no configuration; libyaml's time grows with the square of the depth.
    private static let deepestCollection = 64

    /// The open maps, outermost first.
    private var maps: [Map] = []
    /// Open collections inside one that is left out; 0 outside.
    private var skippedDepth = 0
    private var documents = 0
    /// Where each dotted path was first set.
    private var firstLines: [String: Int] = [:]

    private struct Map {
        /// Dotted path with its final dot; empty at the root.
        var prefix: String
        /// Set between a key and its value.
        var key: Key?
    }

    private struct Key {
        var path: String
        var line: Int
        /// False for a key that was reported: its value is read and dropped.
        var isKept: Bool
    }

    /// Returns false when the rest is not worth reading.
    mutating func take(_ event: YAMLEvent) -> Bool {
        judge(event)
        return maps.count + skippedDepth < Self.deepestCollection
    }

    private mutating func judge(_ event: YAMLEvent) {
        if case .syntaxError(let words) = event.kind {
            // What libyaml says of a second document is beside the point.
            if documents <= 1 { report(event.line, "Not valid YAML: \(words): correct the indentation or quoting.") }
            return
        }
        if event.kind == .documentStart {
            documents += 1
            if documents == 2 {
                report(event.line, "A second document begins here: keep one and remove `---`.")
            }
            return
        }
        guard documents == 1 else { return }
        if skippedDepth > 0 { return skip(event) }
        if event.hasAnchor { report(event.line, "Anchors (`&name`) are not used here: write the value out.") }
        if event.hasTag { report(event.line, "Tags (`!type`) are not used here: remove it.") }
        if maps.isEmpty {
            takeRoot(event)
        } else if maps[maps.count - 1].key == nil {
            takeKey(event)
        } else {
            takeValue(event)
        }
    }

    private mutating func skip(_ event: YAMLEvent) {
        switch event.kind {
        case .mappingStart, .sequenceStart: skippedDepth += 1
        case .mappingEnd, .sequenceEnd: skippedDepth -= 1
        default: break
        }
    }

    private mutating func takeRoot(_ event: YAMLEvent) {
        switch event.kind {
        case .mappingStart: maps.append(Map(prefix: ""))
        // `---` alone, or comments after it.
        case .scalar(text: "", isPlain: true): break
        default:
            report(event.line, "The file must be a map: write lines of the form `key: value`.")
            if event.kind == .sequenceStart { skippedDepth = 1 }
        }
    }

    private mutating func takeKey(_ event: YAMLEvent) {
        var isKept = false
        var name = ""
        switch event.kind {
        case .mappingEnd:
            maps.removeLast()
            return
        case .scalar(let text, _):
            name = text
            isKept = !text.isEmpty
            if text.isEmpty { report(event.line, "A key is missing before the colon: write one or remove the line.") }
        case .alias: report(event.line, "An alias (`*name`) cannot be a key here: write it out.")
        default:
            report(event.line, "A key must be one word: a list or map cannot be a key.")
            skippedDepth = 1
        }
        let path = maps[maps.count - 1].prefix + name
        if isKept, let first = firstLines[path] {
            report(event.line, "`\(path)` is already set on line \(first): keep one of the two.")
            isKept = false
        }
        if isKept { firstLines[path] = event.line }
        maps[maps.count - 1].key = Key(path: path, line: event.line, isKept: isKept)
    }

    private mutating func takeValue(_ event: YAMLEvent) {
        guard let key = maps[maps.count - 1].key else { return }
        maps[maps.count - 1].key = nil
        switch event.kind {
        case .scalar(let text, let isPlain):
            guard key.isKept else { return }
            let value = isPlain && Self.nulls.contains(text) ? "" : text
            entries.append(ConfigEntry(path: key.path, text: value, isQuoted: !isPlain, line: key.line))
        case .mappingStart where !key.isKept: skippedDepth = 1
        case .mappingStart where maps.count == Self.deepestMap:
            report(event.line, "`\(key.path)` is nested more than \(Self.deepestMap) deep: check the indentation.")
            skippedDepth = 1
        case .mappingStart: maps.append(Map(prefix: key.path + "."))
        case .sequenceStart:
            if key.isKept { report(event.line, "`\(key.path)` is a list: give one value.") }
            skippedDepth = 1
        case .alias: report(event.line, "`\(key.path)` is an alias (`*name`): write the value out.")
        default: break
        }
    }

    /// How YAML's core schema writes "no value" (YAML 1.2.2 §10.3.2).
    private static let nulls: Set<String> = ["", "~", "null", "Null", "NULL"]

    private mutating func report(_ line: Int, _ message: String) {
        problems.append(ConfigProblem(line: line, message: message))
    }
}
