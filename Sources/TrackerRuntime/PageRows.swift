import WireText

/// Rows of a page for a person: a label, and what there is to say of it. A row without anything to say is left out.
struct PageRows {
    /// Where labels end.
    private static let indent = 15

    /// What the page is about.
    let json: JSONValue
    private var lines: [String] = []

    init(_ json: JSONValue) { self.json = json }

    /// A line a row.
    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func row(_ label: String, _ parts: [String?]) {
        let text = parts.compactMap { $0 }.joined(separator: ", ")
        if text.isEmpty { return }
        lines.append(label + String(repeating: " ", count: max(1, Self.indent - label.count)) + text)
    }

    func show(_ path: String, _ prefix: String = "", _ suffix: String = "") -> String? {
        json[path].map { prefix + $0.plain + suffix }
    }

    /// Seconds as a duration.
    func age(_ path: String, _ prefix: String = "", _ suffix: String = "") -> String? {
        json[path]?.doubleValue.map { prefix + StatusPage.duration($0) + suffix }
    }

    func isTrue(_ path: String) -> Bool { json[path]?.boolValue == true }

    /// The lines of the board that are in use.
    mutating func boardLines() {
        for line in json["lines"]?.arrayValue ?? [] {
            row("line", ["key", "line", "state"].map { line[$0]?.plain })
            row("  problem", [line["problem"]?.plain])
        }
    }
}
