import CAllocationCount
import GNSSCodecs
import WireText

/// How many outputs of each kind came, and how many allocations were made since the output before each: what a value
/// with text or a list in it costs shows at its own kind.
struct OutputTally {
    private static let kinds = ["fix", "noFix", "sky", "health", "identity", "reply", "notice", "diagnostic"]
    private var came = [Int64](repeating: 0, count: kinds.count)
    private var allocated = [UInt64](repeating: 0, count: kinds.count)
    var lastAllocations: UInt64 = 0

    var counts: JSONObject { Self.object { came[$0] } }
    var allocations: JSONObject { Self.object { Int64(allocated[$0]) } }

    mutating func count(_ output: GNSSOutput) {
        let kind =
            switch output {
            case .fix: 0
            case .noFix: 1
            case .sky: 2
            case .health: 3
            case .identity: 4
            case .reply: 5
            case .notice: 6
            case .diagnostic: 7
            }
        came[kind] += 1
        let now = allocation_count()
        allocated[kind] += now - lastAllocations
        lastAllocations = now
    }

    private static func object(_ number: (Int) -> Int64) -> JSONObject {
        var object = JSONObject()
        for (index, kind) in kinds.enumerated() where number(index) > 0 { object[kind] = .int(number(index)) }
        return object
    }
}
