/// How far a salvage is: a row of the state, written with each piece, so that a restart goes on there.
struct SalvageProgress {
    static let key = "salvage"
    /// What the row says when a file has been read to its end.
    static let done = "done"

    var nextPage = 1
    /// The state was found at the beginning; what is found of it later is older than what the tracker wrote since.
    var hasState = false
    /// The odometer was found, here or in a damaged file that was read before.
    var hasOdometer: Bool
    /// Points with a higher number came since the database began anew.
    var lastOldPoint: Int64 = 0
    var points: Int64 = 0
    var others: Int64 = 0
    var unreadable: Int64 = 0
    /// Sent points that were not taken, for want of room.
    var left: Int64 = 0
    /// Points that the damaged database said it had.
    var expected: Int64?
    /// The pages are read once more, for the sent points that were left.
    var isSecond = false

    init(hasOdometer: Bool) { self.hasOdometer = hasOdometer }

    /// `nil` when this is not what `text` wrote.
    init?(text: String) {
        var numbers = text.split(separator: " ").compactMap { Int64($0) }
        if numbers.count == 6 {
            // An earlier version's: the odometer came with the state, and nothing was left.
            let old = numbers
            numbers = [old[0], old[1], old[1], 0, old[2], old[3], old[4], 0, old[5], 0]
        }
        guard numbers.count == 10 else { return nil }
        nextPage = Int(clamping: max(1, numbers[0]))
        (hasState, hasOdometer, lastOldPoint) = (numbers[1] == 1, numbers[2] == 1, numbers[3])
        (points, others, unreadable, left) = (numbers[4], numbers[5], numbers[6], numbers[7])
        expected = numbers[8] < 0 ? nil : numbers[8]
        isSecond = numbers[9] == 1
    }

    var text: String {
        let numbers: [Int64] = [
            Int64(nextPage), hasState ? 1 : 0, hasOdometer ? 1 : 0, lastOldPoint, points, others, unreadable, left,
            expected ?? -1, isSecond ? 1 : 0,
        ]
        return numbers.map { String($0) }.joined(separator: " ")
    }
}
