import CZlib

/// Bodies in a gzip frame (RFC 1952), the same bytes for the same body.
enum GzipBody {
    /// Below it the frame and the header line eat up what is saved (spec sync §4).
    static let smallestBytes = 1_024

    /// `nil` when it is too short, does not become shorter, or memory is.
    static func compressed(_ body: [UInt8]) -> [UInt8]? {
        guard body.count >= smallestBytes, let size = UInt32(exactly: body.count) else { return nil }
        var stream = z_stream()
        guard czlib_start_gzip(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var isWhole = false
        let out = [UInt8](unsafeUninitializedCapacity: body.count) { out, count in
            body.withUnsafeBufferPointer { input in
                // zlib reads through a pointer that it declares as mutable.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = size
                stream.next_out = out.baseAddress
                stream.avail_out = size
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            count = body.count - Int(stream.avail_out)
        }
        return isWhole ? out : nil
    }
}
