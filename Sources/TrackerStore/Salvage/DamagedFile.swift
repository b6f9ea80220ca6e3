/// A database that SQLite does not read any more, page by page: each page is looked at on its own, so that a damaged one
/// takes no other with it.
final class DamagedFile {
    /// Leaves followed from one root at most: what is behind them is found when all pages are read.
    private static let mostLeaves = 4_096

    let pageCount: Int
    private let file: RawFile?
    private let log: RawFile?
    private let logPages: LogPages?
    let pageSize: Int
    /// Pages that the database had given back: what still stands there was deleted.
    private(set) lazy var freePages = readFreePages()

    /// `nil` when neither the file nor its log can be opened.
    init?(_ path: String) {
        file = RawFile(path)
        log = RawFile(path + "-wal")
        if file == nil && log == nil { return nil }
        logPages = log.flatMap { LogPages($0) }
        let header = file?.bytes(at: 0, count: 100) ?? []
        let size = header.half(at: 16) == 1 ? 65_536 : header.half(at: 16)
        pageSize = logPages?.pageSize ?? (RawFile.isPageSize(size) && header.starts(with: Self.magic) ? size : 4_096)
        let inFile = ((file?.size ?? 0) + Int64(pageSize) - 1) / Int64(pageSize)
        pageCount = Int(max(inFile, Int64(logPages?.offsets.keys.max() ?? 0)))
    }

    static let magic = Array("SQLite format 3\0".utf8)

    /// A page as it was last committed, shorter where the file ends in it. `nil` where the device cannot read.
    func page(_ number: Int) -> [UInt8]? {
        guard number > 0, number <= pageCount else { return nil }
        if let offset = logPages?.offsets[UInt32(number)] { return log?.bytes(at: offset, count: pageSize) }
        return file?.bytes(at: Int64(number - 1) * Int64(pageSize), count: pageSize)
    }

    /// What a page holds of rows; `broken` of its cells make no sense. A page whose kind is unreadable is taken for a leaf:
    /// whether its rows fit a table decides.
    func rows(of number: Int) -> (rows: [RecordCell], broken: Int) {
        guard let page = page(number) else { return ([], 1) }
        let start = number == 1 ? 100 : 0
        guard page.count > start else { return ([], 1) }
        let isLeaf = page[start] == 0x0D
        // 2 and 10 are indexes. All zero is a page that was never used.
        guard page[start] != 2, page[start] != 10, page.contains(where: { $0 != 0 }) else {
            return ([], page[start] == 0 && !freePages.contains(number) ? 1 : 0)
        }
        let count = page.half(at: start + 3)
        guard count > 0, start + 8 + 2 * count <= page.count else { return ([], isLeaf && count > 0 ? 1 : 0) }
        var rows: [RecordCell] = []
        var broken = 0
        for index in 0..<count {
            let offset = page.half(at: start + 8 + 2 * index)
            let cell = offset < start + 8 + 2 * count ? nil : RecordCell(page, at: offset, pageSize: pageSize, overflow)
            if let cell { rows.append(cell) } else { broken += 1 }
        }
        return (rows, isLeaf ? broken : 0)
    }

    private func overflow(_ number: UInt32) -> [UInt8]? {
        page(Int(number)).flatMap { $0.count == pageSize ? $0 : nil }
    }

    /// The leaves of a table, as far as the way to them can be read.
    func leaves(from root: Int) -> [Int] {
        var leaves: [Int] = []
        var waiting = [root]
        var seen: Set<Int> = []
        while let number = waiting.popLast(), leaves.count < Self.mostLeaves, seen.count < 4 * Self.mostLeaves {
            guard seen.insert(number).inserted, let page = page(number) else { continue }
            let start = number == 1 ? 100 : 0
            guard page.count > start, page[start] == 5 else {
                leaves.append(number)
                continue
            }
            let count = min(page.half(at: start + 3), (page.count - start - 12) / 2)
            let children = (0..<count).map { Int(page.word(at: page.half(at: start + 12 + 2 * $0))) }
            waiting += ([Int(page.word(at: start + 8))] + children.reversed()).filter { (1...pageCount).contains($0) }
        }
        return leaves
    }

    /// The first page of each table, by its name.
    func roots() -> [String: Int] {
        var roots: [String: Int] = [:]
        for leaf in leaves(from: 1) {
            for row in rows(of: leaf).rows where row.values.count == 5 {
                if case .text("table") = row.values[0], case .text(let name) = row.values[1],
                    case .int(let root) = row.values[3]
                {
                    roots[name] = Int(clamping: root)
                }
            }
        }
        return roots
    }

    /// sqlite.org/fileformat2.html §1.5; ends where the list cannot be followed.
    private func readFreePages() -> Set<Int> {
        guard let first = page(1), first.starts(with: Self.magic) else { return [] }
        var pages: Set<Int> = []
        var trunk = Int(first.word(at: 32))
        while trunk > 0, pages.insert(trunk).inserted, let page = page(trunk) {
            let count = min(Int(page.word(at: 4)), pageSize / 4 - 2)
            pages.formUnion((0..<count).map { Int(page.word(at: 8 + 4 * $0)) })
            trunk = Int(page.word(at: 0))
        }
        return pages
    }
}
