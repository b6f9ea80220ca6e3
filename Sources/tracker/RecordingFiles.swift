import Glibc
import LinuxIO
import Recordings
import TrackerRuntime

/// The recordings that the command line names, opened.
struct RecordingFiles {
    private var locations: [LocationReader] = []
    private var motion: [MotionReader] = []
    private var logs: [ReceiverLog] = []

    var merged: MergedRecording {
        get throws(RecordingFailure) { try MergedRecording(locations: locations, motion: motion, logs: logs) }
    }

    /// Opens a file as what its content says it is.
    mutating func add(_ path: String) throws(RecordingFailure) {
        let (head, rest) = try Self.open(path)
        switch try RecordingKind(head: head, name: path) {
        case .locations: locations.append(LocationReader(name: path, rest))
        case .motion: motion.append(MotionReader(name: path, rest))
        case .fixture:
            throw RecordingFailure(name: path, message: "a fixture is judged alone; name no other recording with it")
        case .receiverLog: logs.append(try Self.log(path))
        }
    }

    /// Opens a file that must hold samples.
    mutating func addMotion(_ path: String) throws(RecordingFailure) {
        let (head, rest) = try Self.open(path)
        guard try RecordingKind(head: head, name: path) == .motion else {
            throw RecordingFailure(name: path, message: "no samples (u, x, y, z); --motion takes a motion recording")
        }
        motion.append(MotionReader(name: path, rest))
    }

    static func kind(of path: String) throws(RecordingFailure) -> RecordingKind {
        try RecordingKind(head: try open(path).0, name: path)
    }

    /// The first block, and all of them once more in order.
    private static func open(_ path: String) throws(RecordingFailure) -> ([UInt8], RecordingBlocks) {
        let file: FileBlocks
        let head: [UInt8]
        do throws(SystemFailure) {
            file = try FileBlocks(path: path)
            head = try file.next()
        } catch { throw unreadable(path, error) }
        var first: [UInt8]? = head
        return (
            head,
            { () throws(RecordingFailure) -> [UInt8] in
                if let block = first {
                    first = nil
                    return block
                }
                do throws(SystemFailure) { return try file.next() } catch { throw unreadable(path, error) }
            }
        )
    }

    /// The bytes of a receiver, with the index beside them if there is one.
    private static func log(_ path: String) throws(RecordingFailure) -> ReceiverLog {
        if let log = try indexedLog(path) { return log }
        return ReceiverLog(pacing: try bytes(path), name: path)
    }

    /// Bytes with an index beside them: `drive.ubx.idx`, or `drive.idx` as the ring of raw bytes names it. `nil` without.
    static func indexedLog(_ path: String) throws(RecordingFailure) -> ReceiverLog? {
        for indexPath in indexPaths(of: path) {
            let index: [UInt8]
            do throws(SystemFailure) { index = try AtomicFile.read(path: indexPath, limit: Int(Int32.max)) } catch {
                // Guessed times in place of an index that is there would be another recording.
                guard error.number == ENOENT else { throw unreadable(indexPath, error) }
                continue
            }
            return try ReceiverLog(name: path, bytes: try bytes(path), index: index, indexName: indexPath)
        }
        return nil
    }

    static func bytes(_ path: String) throws(RecordingFailure) -> [UInt8] {
        do throws(SystemFailure) { return try AtomicFile.read(path: path, limit: Int(Int32.max)) } catch {
            throw unreadable(path, error)
        }
    }

    private static func indexPaths(of path: String) -> [String] {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return [path + ".idx"] }
        return [path + ".idx", String(path.dropLast(name[dot...].count)) + ".idx"]
    }

    private static func unreadable(_ path: String, _ failure: SystemFailure) -> RecordingFailure {
        RecordingFailure(name: path, message: "\(failure); name a readable recording")
    }
}
