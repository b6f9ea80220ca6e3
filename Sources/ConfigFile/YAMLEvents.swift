import CYaml

/// One step of a YAML stream, with the 1-based line where it begins.
struct YAMLEvent {
    enum Kind: Equatable {
        case documentStart
        /// `isPlain`: without quotes and not a block.
        case scalar(text: String, isPlain: Bool)
        case mappingStart
        case mappingEnd
        case sequenceStart
        case sequenceEnd
        case alias
        /// What libyaml says is wrong; nothing follows.
        case syntaxError(String)
    }

    var kind: Kind
    var line: Int
    /// Given a name with `&`.
    var hasAnchor = false
    /// Given a type with `!`.
    var hasTag = false
}

/// libyaml's event parser, without its memory rules.
enum YAMLEvents {
    /// Calls `take` for each event up to the end of the stream, the first syntax error, or until it returns false.
    /// - Parameter bytes: UTF-8.
    static func forEach(in bytes: [UInt8], _ take: (YAMLEvent) -> Bool) {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else {
            _ = take(YAMLEvent(kind: .syntaxError("out of memory"), line: 1))
            return
        }
        defer { yaml_parser_delete(&parser) }
        bytes.withUnsafeBufferPointer { buffer in
            yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
            var isAtEnd = false
            while !isAtEnd {
                var event = yaml_event_t()
                guard yaml_parser_parse(&parser, &event) == 1 else {
                    _ = take(syntaxError(parser, bytes))
                    return
                }
                isAtEnd = event.type == YAML_STREAM_END_EVENT
                if let event = translated(event), !take(event) { isAtEnd = true }
                yaml_event_delete(&event)
            }
        }
    }

    private static func translated(_ event: yaml_event_t) -> YAMLEvent? {
        let line = Int(event.start_mark.line) + 1
        let data = event.data
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, line: line)
        case YAML_SCALAR_EVENT:
            let scalar = data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            return YAMLEvent(
                kind: .scalar(text: String(decoding: bytes, as: UTF8.self), isPlain: isPlain), line: line,
                hasAnchor: scalar.anchor != nil, hasTag: scalar.tag != nil)
        case YAML_MAPPING_START_EVENT:
            let start = data.mapping_start
            return YAMLEvent(
                kind: .mappingStart, line: line, hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
        case YAML_SEQUENCE_START_EVENT:
            let start = data.sequence_start
            return YAMLEvent(
                kind: .sequenceStart, line: line, hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
        case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, line: line)
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, line: line)
        case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, line: line)
        default: return nil
        }
    }

    private static func syntaxError(_ parser: yaml_parser_t, _ bytes: [UInt8]) -> YAMLEvent {
        var words = parser.problem.map { String(cString: $0) } ?? "unreadable"
        var line = Int(parser.problem_mark.line) + 1
        if parser.error == YAML_READER_ERROR {
            // The reader knows an offset only.
            line = bytes.prefix(parser.problem_offset).count { $0 == UInt8(ascii: "\n") } + 1
        } else if let context = parser.context {
            words = "\(words) \(String(cString: context))"
            if parser.context_mark.line != parser.problem_mark.line {
                words += " that began on line \(parser.context_mark.line + 1)"
            }
        }
        return YAMLEvent(kind: .syntaxError(words), line: line)
    }
}
