import Glibc

/// A file that is read at places, for looking at what SQLite refuses to read.
final class RawFile {
    private let descriptor: Int32
    let size: Int64

    /// `nil` when it cannot be opened.
    init?(_ path: String) {
        descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        var facts = stat()
        guard descriptor >= 0, fstat(descriptor, &facts) == 0 else {
            if descriptor >= 0 { Glibc.close(descriptor) }
            return nil
        }
        size = Int64(facts.st_size)
    }

    deinit { Glibc.close(descriptor) }

    /// Fewer than `count` at the end of the file; `nil` behind it, or where the device cannot read.
    func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(offset) + done)
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { break }
            done += got
        }
        guard done > 0 else { return nil }
        bytes.removeLast(count - done)
        return bytes
    }

    /// Sizes that a page may have (sqlite.org/fileformat2.html §1.3.2).
    static func isPageSize(_ size: Int) -> Bool { (512...65_536).contains(size) && size & (size - 1) == 0 }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Four bytes, the highest first; 0 where there are not so many.
    func word(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return (0..<4).reduce(0) { $0 << 8 | UInt32(self[startIndex + offset + $1]) }
    }

    /// Two bytes, the highest first; 0 where there are not so many.
    func half(at offset: Int) -> Int {
        guard offset >= 0, offset + 2 <= count else { return 0 }
        return Int(self[startIndex + offset]) << 8 | Int(self[startIndex + offset + 1])
    }
}
