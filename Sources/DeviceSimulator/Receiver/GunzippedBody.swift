import CZlib

/// The reading end of `Content-Encoding: gzip`.
enum GunzippedBody {
    /// A frame of a few kilobytes can say that it holds gigabytes.
    static let largestBytes = 4 * HTTPRequestReader.largestBody

    /// `nil` when it is no whole gzip frame and nothing else, or holds more than `largestBytes`.
    static func bytes(_ body: [UInt8]) -> [UInt8]? {
        guard let size = UInt32(exactly: body.count) else { return nil }
        var stream = z_stream()
        guard czlib_start_gunzip(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var out: [UInt8] = []
        let isWhole = body.withUnsafeBufferPointer { input in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = size
            var part = [UInt8](repeating: 0, count: 65_536)
            while out.count <= largestBytes {
                let status = part.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(buffer.count)
                    return inflate(&stream, Z_NO_FLUSH)
                }
                out += part[..<(part.count - Int(stream.avail_out))]
                if status == Z_STREAM_END { return stream.avail_in == 0 && out.count <= largestBytes }
                guard status == Z_OK else { return false }
            }
            return false
        }
        return isWhole ? out : nil
    }
}
