/// Where the newest legible image of each page is in a write-ahead log (format: sqlite.org/fileformat2.html §4).
///
/// SQLite itself ends at the first frame whose checksum is wrong, and silently. Each frame's checksum begins with the one
/// that is stored in the frame before, so the frames behind a damaged one can still be told from rubbish.
struct LogPages {
    /// Offsets of page images in the log, by page number; of transactions that were committed.
    private(set) var offsets: [UInt32: Int64] = [:]
    private(set) var pageSize = 0
    /// Two committed transactions or more stand behind a damaged frame. One alone may be the rest of a transaction that a
    /// power cut tore, which was never promised.
    var isDamaged: Bool { commitsBehindDamage >= 2 }
    private var commitsBehindDamage = 0

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// `nil` when there is nothing in the log that can be read.
    init?(_ file: RawFile) {
        guard let header = file.bytes(at: 0, count: Self.headerSize), header.count == Self.headerSize else {
            return nil
        }
        let magic = header.word(at: 0)
        let size = Int(header.word(at: 8))
        let isBigEndian = magic == 0x377F_0683
        let isWhole =
            (magic == 0x377F_0682 || isBigEndian)
            && Self.checksum(of: header[..<24], after: (0, 0), isBigEndian) == (
                header.word(at: 24), header.word(at: 28)
            )
        pageSize = isWhole && RawFile.isPageSize(size) ? size : 4_096
        var salt: (UInt32, UInt32)? = isWhole ? (header.word(at: 16), header.word(at: 20)) : nil
        var seed = (header.word(at: 24), header.word(at: 28))
        var open: [UInt32: Int64] = [:]
        var isBehindDamage = !isWhole
        var at = Int64(Self.headerSize)
        while let frame = file.bytes(at: at, count: Self.frameHeaderSize + pageSize) {
            defer { at += Int64(Self.frameHeaderSize + pageSize) }
            guard frame.count == Self.frameHeaderSize + pageSize else { break }
            let stored = (frame.word(at: 16), frame.word(at: 20))
            let own = (frame.word(at: 8), frame.word(at: 12))
            let sum = Self.checksum(
                of: frame[24...], after: Self.checksum(of: frame[..<8], after: seed, isBigEndian), isBigEndian)
            seed = stored
            let expected = salt ?? own
            guard own == expected else {
                // Frames of an earlier round of the log follow the last one of this round.
                isBehindDamage = true
                continue
            }
            guard sum == stored, frame.word(at: 0) > 0 else {
                isBehindDamage = true
                continue
            }
            salt = expected
            open[frame.word(at: 0)] = at + Int64(Self.frameHeaderSize)
            if frame.word(at: 4) > 0 {
                offsets.merge(open) { $1 }
                open = [:]
                if isBehindDamage { commitsBehindDamage += 1 }
            }
        }
        if offsets.isEmpty { return nil }
    }

    private static func checksum(
        of bytes: ArraySlice<UInt8>, after seed: (UInt32, UInt32), _ isBigEndian: Bool
    ) -> (UInt32, UInt32) {
        var (first, second) = seed
        bytes.withUnsafeBytes { raw in
            var at = 0
            while at + 8 <= raw.count {
                let a = raw.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                let b = raw.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
                first = first &+ (isBigEndian ? UInt32(bigEndian: a) : UInt32(littleEndian: a)) &+ second
                second = second &+ (isBigEndian ? UInt32(bigEndian: b) : UInt32(littleEndian: b)) &+ first
                at += 8
            }
        }
        return (first, second)
    }
}
