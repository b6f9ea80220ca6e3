/// A row as it stands in a page: its number and its values in the order in which the table stores them
/// (sqlite.org/fileformat2.html §2.1).
struct RecordCell {
    var rowID: Int64
    var values: [SQLValue]

    /// The longest row that is read; the tracker's own have some hundred bytes, its state some thousand.
    private static let longest = 1_000_000

    /// The cell of a leaf at `offset` of its page; `nil` when it makes no sense.
    /// - Parameters:
    ///   - page: shorter than `pageSize` where the file ends in it.
    ///   - overflow: reads the page that a long row goes on in.
    init?(_ page: [UInt8], at offset: Int, pageSize: Int, _ overflow: (UInt32) -> [UInt8]?) {
        var at = offset
        guard let length = page.varint(&at), (1...Int64(Self.longest)).contains(length), let rowID = page.varint(&at)
        else { return nil }
        self.rowID = rowID
        let total = Int(length)
        let local = Self.localBytes(of: total, pageSize: pageSize)
        guard at + local <= page.count else { return nil }
        var payload = Array(page[at..<(at + local)])
        var next = local < total ? page.word(at: at + local) : 0
        while payload.count < total {
            guard next > 0, let more = overflow(next), more.count > 4 else { return nil }
            payload += more[4..<min(more.count, 4 + total - payload.count)]
            next = more.word(at: 0)
        }
        guard let values = Self.values(payload) else { return nil }
        self.values = values
    }

    /// How much of a row stands in its leaf.
    private static func localBytes(of total: Int, pageSize: Int) -> Int {
        guard total > pageSize - 35 else { return total }
        let least = (pageSize - 12) * 32 / 255 - 23
        let wanted = least + (total - least) % (pageSize - 4)
        return wanted <= pageSize - 35 ? wanted : least
    }

    /// `nil` when the record's header and its body do not agree. Fractions and bytes are of no table here.
    private static func values(_ payload: [UInt8]) -> [SQLValue]? {
        var at = 0
        guard let headerSize = payload.varint(&at), (1...Int64(payload.count)).contains(headerSize) else { return nil }
        var body = Int(headerSize)
        var values: [SQLValue] = []
        while at < Int(headerSize) {
            guard let type = payload.varint(&at), at <= Int(headerSize) else { return nil }
            switch type {
            case 0: values.append(.null)
            case 8, 9: values.append(.int(type - 8))
            case 1...6:
                let width = [1, 2, 3, 4, 6, 8][Int(type) - 1]
                guard body + width <= payload.count else { return nil }
                var number = Int64(Int8(bitPattern: payload[body]))
                for byte in payload[(body + 1)..<(body + width)] { number = number << 8 | Int64(byte) }
                values.append(.int(number))
                body += width
            case 13... where type % 2 == 1:
                let width = (type - 13) / 2
                guard width <= Int64(payload.count - body),
                    let text = String(validating: payload[body..<(body + Int(width))], as: UTF8.self)
                else { return nil }
                values.append(.text(text))
                body += Int(width)
            default: return nil
            }
        }
        return body == payload.count ? values : nil
    }
}

extension [UInt8] {
    /// SQLite's variable-length integer; moves `at` behind it. `nil` at the end of the bytes.
    func varint(_ at: inout Int) -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard at >= 0, at < count else { return nil }
            let byte = self[at]
            at += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
