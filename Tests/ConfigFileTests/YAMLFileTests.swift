import Glibc
import Ports
import Testing

@testable import ConfigFile

@Suite("Reading a configuration file")
struct YAMLFileTests {
    struct Readable: Sendable, CustomTestStringConvertible {
        var yaml: String
        var entries: [ConfigEntry]
        init(_ yaml: String, _ entries: [ConfigEntry]) {
            self.yaml = yaml
            self.entries = entries
        }
        var testDescription: String { yaml.debugDescription }
    }

    private static func entry(_ line: Int, _ path: String, _ text: String, quoted: Bool = false) -> ConfigEntry {
        ConfigEntry(path: path, text: text, isQuoted: quoted, line: line)
    }

    /// What is wrong with these bytes; nothing when they can be read.
    private static func problems(_ bytes: [UInt8]) -> [ConfigProblem] {
        do throws(ConfigFailure) {
            _ = try YAMLFile.entries(of: bytes)
            return []
        } catch {
            return error.problems
        }
    }

    static let readable: [Readable] = [
        Readable("", []),
        Readable("# nothing\n\n", []),
        Readable("---\n", []),
        Readable("---\n# nothing\n...\n", []),
        Readable("{}", []),
        Readable("a: 1", [entry(1, "a", "1")]),
        Readable("\u{FEFF}a: 1\n", [entry(1, "a", "1")]),
        Readable("a: 1\r\nb: 2\r\n", [entry(1, "a", "1"), entry(2, "b", "2")]),
        Readable(
            "geolocation:\n  intervalMs: 60000 # a minute\n\nmotion:\n  stopTimeoutMin: 5\n",
            [entry(2, "geolocation.intervalMs", "60000"), entry(5, "motion.stopTimeoutMin", "5")]),
        Readable(
            "upload:\n  headers:\n    X-Key: \"a: b\"\n    Y: 'it''s'\n",
            [
                entry(3, "upload.headers.X-Key", "a: b", quoted: true),
                entry(4, "upload.headers.Y", "it's", quoted: true),
            ]),
        Readable(
            "upload: {url: http://h/p, batchSize: 7}",
            [
                entry(1, "upload.url", "http://h/p"), entry(1, "upload.batchSize", "7"),
            ]),
        Readable(
            "a:\nb: ~\nc: null\nd: NULL\ne: \"\"\nf: 'null'\n",
            [
                entry(1, "a", ""), entry(2, "b", ""), entry(3, "c", ""), entry(4, "d", ""),
                entry(5, "e", "", quoted: true), entry(6, "f", "null", quoted: true),
            ]),
        Readable("a: |\n  x\n  y\n", [entry(1, "a", "x\ny\n", quoted: true)]),
        Readable("a: two\n  lines\n", [entry(1, "a", "two lines")]),
        Readable("a:\n  \"1\"\n", [entry(1, "a", "1", quoted: true)]),
        Readable("a.b: 1\na:\n  c: 2\n", [entry(1, "a.b", "1"), entry(3, "a.c", "2")]),
        Readable("device: {}\nb: 2\n", [entry(2, "b", "2")]),
        Readable("name: Gerät 7 – \u{1F69C}\n", [entry(1, "name", "Gerät 7 – \u{1F69C}")]),
        Readable("a: {b: {c: {d: {e: {f: {g: {h: 1}}}}}}}", [entry(1, "a.b.c.d.e.f.g.h", "1")]),
    ]

    @Test("Maps become dotted paths with their lines", arguments: readable)
    func reads(row: Readable) throws {
        #expect(try YAMLFile.entries(of: Array(row.yaml.utf8)) == row.entries)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var yaml: String
        /// Line and a part of the message, in file order.
        var problems: [Problem]
        init(_ yaml: String, _ problems: [(Int, String)]) {
            self.yaml = yaml
            self.problems = problems.map { Problem(line: $0.0, part: $0.1) }
        }
        var testDescription: String { yaml.debugDescription }
    }
    struct Problem: Sendable {
        var line: Int
        var part: String
    }

    static let refused: [Refused] = [
        Refused("hello", [(1, "must be a map")]),
        Refused("# list\n- a\n- {b: c}\n", [(2, "must be a map")]),
        Refused("a: 1\nb: 2\na: 3\n", [(3, "`a` is already set on line 1")]),
        Refused(
            "m:\n  k: 1\n  k: 2\nm:\n  j: 1\n",
            [
                (3, "`m.k` is already set on line 2"), (4, "`m` is already set on line 1"),
            ]),
        Refused("a.b: 1\na: {b: 2}\n", [(2, "`a.b` is already set on line 1")]),
        Refused(
            "a: [1, 2]\nb:\n  - x: [1]\n  - y\nc: [\n",
            [(1, "`a` is a list"), (3, "`b` is a list"), (5, "`c` is a list"), (6, "YAML")]),
        Refused("a: &x 1\nb: *x\nc: !!str 2\n", [(1, "Anchors"), (2, "`b` is an alias"), (3, "Tags")]),
        Refused("a: &x\n  k: 1\n  k: 2\n", [(1, "Anchors"), (3, "`a.k` is already set")]),
        Refused("a: &x {k: 1}\nb:\n  <<: *x\n", [(1, "Anchors"), (3, "`b.<<` is an alias")]),
        Refused("a: 1\n---\nb: 2\n---\nc: [\n", [(2, "second document")]),
        Refused(
            "? [a, b]\n: 1\n? {c: d}\n: {e: f}\ng: 1\ng: 2\n",
            [
                (1, "cannot be a key"), (3, "cannot be a key"), (6, "`g` is already set"),
            ]),
        Refused("a: 1\n\"\": 1\n", [(2, "key is missing")]),
        Refused("a: {b: {c: {d: {e: {f: {g: {h: {i: 1}}}}}}}}", [(1, "`a.b.c.d.e.f.g.h` is nested more than 8 deep")]),
        Refused("a: 1\n\tb: 2\n", [(2, "YAML")]),
        Refused("a: 1\n b: 2\n", [(2, "mapping values are not allowed")]),
        Refused("a: \"open\nb: 2\n", [(3, "quoted scalar that began on line 1")]),
        Refused("a: 1\nb: 2\u{7}\n", [(2, "control characters")]),
        Refused("a: 1\nb: \u{0}\n", [(2, "control characters")]),
        Refused("a: *unknown\n", [(1, "alias")]),
        Refused("a: 1\na: 2\nb: }\n", [(2, "already set"), (3, "YAML")]),
    ]

    @Test("Every problem is reported with its line and what to do", arguments: refused)
    func refuses(row: Refused) throws {
        let problems = Self.problems(Array(row.yaml.utf8))
        #expect(problems.map(\.line) == row.problems.map(\.line), "\(problems)")
        for (problem, expected) in zip(problems, row.problems) {
            #expect(problem.message.contains(expected.part), "\(problem.message)")
            #expect(problem.message.hasSuffix("."))
        }
    }

    @Test("Bytes that are not UTF-8 are reported with their line")
    func notUTF8() {
        let bytes = Array("a: 1\nb: ".utf8) + [0xFF] + Array("\n".utf8)
        #expect(Self.problems(bytes).map(\.line) == [2])
        // UTF-16 is the other encoding an editor may write.
        let wide = "a: 1\n".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        #expect(throws: ConfigFailure.self) { _ = try YAMLFile.entries(of: [0xFF, 0xFE] + wide) }
    }

    @Test("A file larger than 256 KiB is refused, one of exactly that size is read")
    func size() throws {
        let line = Array("a: 1\n".utf8)
        let fitting = line + [UInt8](repeating: UInt8(ascii: "#"), count: 262_144 - line.count)
        #expect(try YAMLFile.entries(of: fitting).count == 1)
        #expect(Self.problems(fitting + [0x23]).map(\.line) == [0])
    }

    @Test(
        "Hostile files end in a report, soon", arguments: ["[", "{", "a: {", "? ", "- ", "&a ", "!!", "*a: ", "'", "%"])
    func hostile(unit: String) {
        let bytes = Array(String(repeating: unit, count: 60_000 / unit.utf8.count).utf8)
        #expect(throws: ConfigFailure.self) { _ = try YAMLFile.entries(of: bytes) }
    }

    @Test("Any cut and any changed byte of a good file is read or reported")
    func mutations() {
        let good = Array("service:\n  stateDir: \"/var/lib\"\nupload: {url: 'http://h', n: [1]}\nk: |\n  x\n".utf8)
        var outcomes = 0
        for index in good.indices {
            for byte in [UInt8(0), 9, 10, 34, 38, 39, 42, 45, 58, 91, 123, 125, 200] {
                var changed = good
                changed[index] = byte
                _ = try? YAMLFile.entries(of: changed)
                outcomes += 1
            }
            _ = try? YAMLFile.entries(of: Array(good[..<index]))
        }
        #expect(outcomes == good.count * 13)
    }

    @Test("A file that cannot be read is named with the system's words")
    func unreadable() throws {
        for path in ["/nonexistent/tracker.yaml", "/tmp"] {
            #expect {
                _ = try YAMLFile.read(path: path)
            } throws: { error in
                guard let problem = (error as? ConfigFailure)?.problems.first else { return false }
                return problem.line == 0 && problem.message.hasPrefix(path + ": ")
            }
        }
        #expect(throws: ConfigFailure.self) { _ = try YAMLFile.read(path: "/dev/zero") }
        #expect(try YAMLFile.read(path: "/dev/null") == [])
    }

    @Test("A file is read from its path")
    func fromPath() throws {
        let path = "/tmp/tracker-config-\(getpid()).yaml"
        defer { unlink(path) }
        let file = try #require(fopen(path, "w"))
        fputs("device:\n  id: van-7\n", file)
        fclose(file)
        #expect(try YAMLFile.read(path: path) == [Self.entry(2, "device.id", "van-7")])
    }
}
