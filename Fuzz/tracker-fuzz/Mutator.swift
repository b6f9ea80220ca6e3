/// Changes seeds at random.
struct Mutator {
    private static let mostChanges = 8
    /// What means something to one of the decoders.
    private static let marks = Array("0123456789,.*-$\r\n{}[]\":".utf8)
    private let seeds: [[UInt8]]
    private var random: RandomSource

    init(seeds: [[UInt8]], random: RandomSource) {
        self.seeds = seeds.isEmpty ? [Array("{}".utf8)] : seeds
        self.random = random
    }

    mutating func next() -> [UInt8] {
        var input = seeds[random.below(seeds.count)]
        for _ in 0..<random.below(Self.mostChanges) { change(&input) }
        return Array(input.prefix(InputSlot.largestBytes))
    }

    private mutating func change(_ input: inout [UInt8]) {
        guard !input.isEmpty else {
            input.append(UInt8(truncatingIfNeeded: random.next()))
            return
        }
        let at = random.below(input.count)
        let end = min(input.count, at + 1 + random.below(16))
        switch random.below(7) {
        case 0: input[at] ^= 1 << UInt8(random.below(8))
        case 1: input[at] = UInt8(truncatingIfNeeded: random.next())
        case 2: input.removeSubrange(at..<end)
        case 3: input.insert(contentsOf: input[at..<end], at: random.below(input.count))
        case 4: input.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
        case 5:
            // The beginning of one, the end of another.
            let other = seeds[random.below(seeds.count)]
            if !other.isEmpty { input.replaceSubrange(at..., with: other[random.below(other.count)...]) }
        default: input[at] = Self.marks[random.below(Self.marks.count)]
        }
    }
}
