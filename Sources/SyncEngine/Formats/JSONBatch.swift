import TrackerModel
import WireText

/// One JSON array of points, as long as fits.
enum JSONBatch {
    /// - Parameters:
    ///   - head: what stands before the first point, the bracket included; `tail` what stands after the last.
    /// - Returns: the body and how many points it carries: at least one unless there are none.
    static func body(
        _ points: [TrackPoint], maxBytes: Int, head: String = "[", tail: String = "]",
        object: (TrackPoint) -> JSONObject
    ) -> (bytes: [UInt8], count: Int) {
        var bytes = Array(head.utf8)
        var count = 0
        for point in points {
            let row = JSONValue.object(object(point)).bytes
            if count > 0 {
                if bytes.count + 1 + row.count + tail.utf8.count > maxBytes { break }
                bytes.append(UInt8(ascii: ","))
            }
            bytes += row
            count += 1
        }
        return (bytes + tail.utf8, count)
    }

    /// The body of a format that takes one object a request.
    static func single(_ points: [TrackPoint], object: (TrackPoint) -> JSONObject) -> (bytes: [UInt8], count: Int) {
        guard let point = points.first else { return ([], 0) }
        return (JSONValue.object(object(point)).bytes, 1)
    }
}
