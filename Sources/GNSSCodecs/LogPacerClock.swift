/// One of the clocks in a log, times of day or times of week, and where on the recording's own clock it stands.
struct LogPacerClock {
    static let dayMillis = 86_400_000
    private static let longestGapMillis = 3_600_000
    private static let defaultGapMillis = 1_000

    /// After so long it begins again.
    let periodMillis: Int
    private var newest: (time: Int, offsetMillis: Int64)?

    init(periodMillis: Int) { self.periodMillis = periodMillis }

    /// Takes the next reading.
    /// - Parameter offsetMillis: of the chunk that is being read.
    /// - Returns: the offset of the chunk that begins with this reading, later than that; `nil` where none begins.
    mutating func read(_ time: Int, inChunkAt offsetMillis: Int64) -> Int64? {
        guard let newest else {
            // What is ahead of the first reading belongs to the same chunk.
            newest = (time, offsetMillis)
            return nil
        }
        guard time != newest.time else { return nil }
        var gap = time - newest.time
        if gap < -periodMillis / 2 { gap += periodMillis }
        if !(1...Self.longestGapMillis).contains(gap) { gap = Self.defaultGapMillis }
        // The other clock may have begun this chunk already.
        let place = max(newest.offsetMillis + Int64(gap), offsetMillis)
        self.newest = (time, place)
        return place > offsetMillis ? place : nil
    }

    /// Whether `read` would take this for the time it has.
    func stands(at time: Int) -> Bool { newest?.time == time }
}
