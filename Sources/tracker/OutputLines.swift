import Glibc

/// Lines to a file or to standard output, in blocks.
final class OutputLines {
    private static let blockSize = 65_536
    private var buffer: [UInt8] = []
    /// The error of the first write that failed; after it nothing is written.
    private(set) var failure: Int32?

    private let descriptor: Int32

    init(_ descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
        buffer.reserveCapacity(Self.blockSize + 1_024)
    }

    var isOpen: Bool { failure == nil }

    func add(_ line: String) {
        buffer.append(contentsOf: line.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.blockSize { flush() }
    }

    func add(bytes: [UInt8]) {
        buffer += bytes
        if buffer.count >= Self.blockSize { flush() }
    }

    func flush() {
        var written = 0
        while written < buffer.count, failure == nil {
            let count = buffer.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[written...])
                return write(descriptor, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                failure = errno
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
