import WireText

/// What a receiver refuses for its content's sake, whatever the script says.
struct ReceiverLimits {
    let refusedPoint: Int?
    let mostPoints: Int?
    /// In the order in which they were first seen, as long as the refused one is not among them.
    private var seen: [String] = []

    init(refusedPoint: Int?, mostPoints: Int?) {
        self.refusedPoint = refusedPoint
        self.mostPoints = mostPoints
    }

    /// The status to refuse the body with, or `nil`.
    mutating func refusal(of body: [UInt8]) -> Int? {
        guard refusedPoint != nil || mostPoints != nil, let json = try? JSONReader.parse(body) else { return nil }
        let uuids = (json["location"]?.arrayValue ?? []).compactMap { $0["uuid"]?.stringValue }
        if let mostPoints, uuids.count > mostPoints { return 413 }
        guard let refusedPoint else { return nil }
        for uuid in uuids where seen.count < refusedPoint && !seen.contains(uuid) { seen.append(uuid) }
        return seen.count == refusedPoint && uuids.contains(seen[refusedPoint - 1]) ? 422 : nil
    }
}
