import Glibc
public import Ports
public import TrackerModel

/// The receiver's bytes in a ring of files of bounded size: `gnss-000017.raw` beside `gnss-000017.idx`, whose lines are
/// `offset nanoseconds`: from that byte on, what was read at that instant of the boot clock.
///
/// Written in blocks and never synced: an SD card is worth more than the last minute of a diagnostic log.
public final class RawLogRing: RawLog {
    /// The limit is shared by this many files, so that a quarter is the most that a rotation forgets.
    private static let files: Int64 = 4
    private static let blockBytes = 32_768
    private static let longestHoldMillis: Int64 = 60_000

    private let directory: String
    private let fileLimit: Int64
    private var number: Int
    private var offset: Int64 = 0
    private var held: [UInt8] = []
    private var index = ""
    private var heldSince: Instant?
    private var raw: Int32 = -1
    private var times: Int32 = -1

    /// - Parameters:
    ///   - directory: must exist.
    ///   - limitBytes: of all files together.
    public init(directory: String, limitBytes: Int64) {
        self.directory = directory
        fileLimit = max(4_096, limitBytes / Self.files)
        // What an earlier start left counts too.
        let newest = Self.numbers(in: directory).max() ?? 0
        number = newest + 1
    }

    deinit {
        flush()
        closeFiles()
    }

    public func append(_ bytes: [UInt8], at instant: Instant) {
        index += "\(offset + Int64(held.count)) \(instant.nanos)\n"
        held += bytes
        let since = heldSince ?? instant
        heldSince = since
        if held.count >= Self.blockBytes || instant.millis(since: since) >= Self.longestHoldMillis { flush() }
    }

    public func flush() {
        defer {
            offset += Int64(held.count)
            held.removeAll(keepingCapacity: true)
            index = ""
            heldSince = nil
            if offset >= fileLimit { rotate() }
        }
        guard !held.isEmpty, openFiles() else { return }
        guard Self.writeAll(raw, held[...]), Self.writeAll(times, Array(index.utf8)[...]) else { return closeFiles() }
    }

    private static func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard let count = try? System.write(descriptor, rest), count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func rotate() {
        closeFiles()
        number += 1
        offset = 0
    }

    private func openFiles() -> Bool {
        if raw >= 0, times >= 0 { return true }
        for old in Self.numbers(in: directory) where old <= number - Int(Self.files) {
            _ = try? System.unlink(path(old, "raw"))
            _ = try? System.unlink(path(old, "idx"))
        }
        raw = (try? System.open(path(number, "raw"), O_WRONLY | O_CREAT | O_APPEND, mode: 0o640)) ?? -1
        times = (try? System.open(path(number, "idx"), O_WRONLY | O_CREAT | O_APPEND, mode: 0o640)) ?? -1
        if raw >= 0, times >= 0 { return true }
        closeFiles()
        return false
    }

    private func closeFiles() {
        for descriptor in [raw, times] where descriptor >= 0 { System.close(descriptor) }
        (raw, times) = (-1, -1)
    }

    private func path(_ number: Int, _ suffix: String) -> String {
        let digits = String(number)
        return "\(directory)/gnss-\(String(repeating: "0", count: max(0, 6 - digits.utf8.count)))\(digits).\(suffix)"
    }

    private static func numbers(in directory: String) -> [Int] {
        DirectoryListing.names(directory).compactMap { name in
            guard name.hasPrefix("gnss-"), name.hasSuffix(".raw") else { return nil }
            return Int(name.dropFirst(5).dropLast(4))
        }
    }
}
