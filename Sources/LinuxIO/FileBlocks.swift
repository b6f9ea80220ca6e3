import Glibc

/// A file from its beginning, block by block.
public final class FileBlocks {
    private static let size = 65_536
    private let descriptor: Int32

    public init(path: String) throws(SystemFailure) {
        descriptor = try System.open(path, O_RDONLY)
    }

    deinit { System.close(descriptor) }

    /// The next bytes; none at the end.
    public func next() throws(SystemFailure) -> [UInt8] {
        // A pipe that was opened for waiting never says "nothing yet".
        try System.read(descriptor, limit: Self.size) ?? []
    }
}
