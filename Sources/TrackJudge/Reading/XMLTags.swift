/// The tags and texts of an XML document, one after the other, in one pass over its bytes.
///
/// Comments and instructions are passed over; a document type is too, so what it declares is never expanded. It builds
/// no tree: depth and size of the document cost no memory.
struct XMLTags {
    enum Event: Equatable {
        /// An element begins, with its name without prefix; `isEmpty` when it ends at once (`<a/>`).
        case start(name: String, isEmpty: Bool)
        case end(name: String)
        /// Characters between tags, references still in them unless it `isLiteral` (CDATA).
        case text(Range<Int>, isLiteral: Bool)
    }

    private let bytes: [UInt8]
    private var at = 0
    /// What stands in the tag returned last behind its name.
    private var attributes = 0..<0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The line of the event returned last; counted only when somebody asks.
    var line: Int { bytes[..<min(at, bytes.count)].count { $0 == 0x0A } + 1 }

    /// The next tag or text; `nil` at the end.
    /// - Throws: where the document ends inside a tag, comment or the like.
    mutating func next() throws(JudgeFailure) -> Event? {
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                let end = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
                defer { at = end }
                return .text(at..<end, isLiteral: false)
            }
            if starts("<!--") {
                _ = try skip(past: "-->")
            } else if starts("<![CDATA[") {
                let start = at + 9
                let end = try skip(past: "]]>") - 3
                return .text(start..<max(start, end), isLiteral: true)
            } else if starts("<?") {
                _ = try skip(past: "?>")
            } else if starts("<!") {
                try skipDeclaration()
            } else {
                return try tag()
            }
        }
        return nil
    }

    /// The value of an attribute of the tag returned last; `nil` where it has none.
    func attribute(_ wanted: String) -> String? {
        var index = attributes.lowerBound
        while index < attributes.upperBound {
            while index < attributes.upperBound, bytes[index].isBlank { index += 1 }
            let nameStart = index
            while index < attributes.upperBound, bytes[index] != UInt8(ascii: "="), !bytes[index].isBlank { index += 1 }
            let name = bytes[nameStart..<index]
            while index < attributes.upperBound, bytes[index].isBlank || bytes[index] == UInt8(ascii: "=") {
                index += 1
            }
            guard index < attributes.upperBound else { return nil }
            let quote = bytes[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = bytes[(index + 1)..<attributes.upperBound].firstIndex(of: quote)
            else { return nil }
            if name.elementsEqual(wanted.utf8) { return text(index + 1..<end, isLiteral: false) }
            index = end + 1
        }
        return nil
    }

    /// The characters of a range, trimmed, the references that XML itself defines resolved; any other stays as it is.
    func text(_ range: Range<Int>, isLiteral: Bool) -> String {
        let raw = bytes[range].trimmedText
        return isLiteral || !raw.utf8.contains(UInt8(ascii: "&")) ? raw : XMLReference.resolving(raw)
    }

    private func starts(_ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { bytes[at...].starts(with: $0) }
    }

    /// Moves behind the next `mark` and returns where that is.
    private mutating func skip(past mark: StaticString) throws(JudgeFailure) -> Int {
        let wanted = mark.withUTF8Buffer { Array($0) }
        var index = at
        while index + wanted.count <= bytes.count {
            if bytes[index] == wanted[0], bytes[index..<index + wanted.count].elementsEqual(wanted) {
                at = index + wanted.count
                return at
            }
            index += 1
        }
        throw cutShort()
    }

    /// `<!DOCTYPE …>`, its declarations in brackets included.
    private mutating func skipDeclaration() throws(JudgeFailure) {
        var depth = 0
        var quote: UInt8?
        for index in at..<bytes.count {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0:
                at = index + 1
                return
            default: break
            }
        }
        throw cutShort()
    }

    private mutating func tag() throws(JudgeFailure) -> Event {
        let isEnd = starts("</")
        let nameStart = at + (isEnd ? 2 : 1)
        var nameEnd = nameStart
        while nameEnd < bytes.count, !bytes[nameEnd].isBlank, bytes[nameEnd] != UInt8(ascii: ">"),
            bytes[nameEnd] != UInt8(ascii: "/")
        {
            nameEnd += 1
        }
        var quote: UInt8?
        var index = nameEnd
        while index < bytes.count, quote != nil || bytes[index] != UInt8(ascii: ">") {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            index += 1
        }
        guard index < bytes.count else { throw cutShort() }
        at = index + 1
        let isEmpty = index > nameEnd && bytes[index - 1] == UInt8(ascii: "/")
        attributes = nameEnd..<(isEmpty ? index - 1 : index)
        let full = bytes[nameStart..<nameEnd]
        let local = full.lastIndex(of: UInt8(ascii: ":")).map { full[($0 + 1)...] } ?? full
        let name = String(decoding: local.prefix(64), as: UTF8.self)
        return isEnd ? .end(name: name) : .start(name: name, isEmpty: isEmpty)
    }

    private func cutShort() -> JudgeFailure {
        JudgeFailure(line: line, cause: "the file ends inside a tag", remedy: "give the whole file")
    }
}
