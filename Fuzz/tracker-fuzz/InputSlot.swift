import CLinux
import Glibc

/// A file that always holds the input under test: shared memory, which outlives the process.
struct InputSlot {
    /// As libFuzzer's default.
    static let largestBytes = 4_096
    private let path: String
    private let file: Int32
    private let memory: UnsafeMutableRawPointer

    init?(path: String) {
        self.path = path
        file = linux_open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0, ftruncate(file, off_t(Self.largestBytes)) == 0,
            let memory = mmap(nil, Self.largestBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            memory != MAP_FAILED
        else { return nil }
        self.memory = memory
    }

    /// - Parameter input: at most `largestBytes`.
    func keep(_ input: [UInt8]) {
        ftruncate(file, off_t(input.count))
        input.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: memory, count: $0.count).copyMemory(from: $0) }
    }

    func remove() { unlink(path) }
}
