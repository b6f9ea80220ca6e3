import CLinux
import Glibc

/// The inputs that a run begins with.
enum SeedFiles {
    /// All regular files of the folder, by name; what cannot be read is left out.
    static func read(folder: String) -> [[UInt8]] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names.sorted().compactMap { read(path: folder + "/" + $0) }
    }

    /// At most `InputSlot.largestBytes` of a file; `nil` when it cannot be read.
    static func read(path: String) -> [UInt8]? {
        let file = linux_open(path, O_RDONLY, 0)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: InputSlot.largestBytes)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes[..<count])
    }
}
