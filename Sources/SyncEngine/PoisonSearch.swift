/// Finds the row that a server refuses with 400 or 422 (spec sync §5): a batch that fails three times is halved until
/// the row is alone, and a row that fails alone three times is set aside.
///
/// Batches are taken from the head of the queue, so a count is enough to know what is suspected: of the first
/// `suspects` rows at least one is refused.
struct PoisonSearch {
    enum Verdict: Equatable {
        /// The whole batch once more, after a wait.
        case later
        /// A smaller batch, or the row alone again, at once.
        case again
        /// This one row is set aside.
        case quarantine
    }

    private static let failures = 3

    private var suspects = 0
    /// The batch with this first row failed so often.
    private var head: (id: Int64, failures: Int)?
    /// This row failed alone so often.
    private var alone: (id: Int64, failures: Int)?

    /// The rows of the next request; `nil` when nothing is suspected. Halving upwards takes 7 requests for 100 rows.
    var limit: Int? { suspects > 0 ? max(1, suspects / 2 + (suspects > 1 ? suspects % 2 : 0)) : nil }

    mutating func refused(_ ids: [Int64]) -> Verdict {
        guard let first = ids.first else { return .later }
        if ids.count == 1 {
            alone = (first, (alone?.id == first ? alone?.failures ?? 0 : 0) + 1)
            if alone?.failures == Self.failures {
                self = PoisonSearch()
                return .quarantine
            }
            guard suspects > 0 else { return .later }
            suspects = 1
            return .again
        }
        if suspects == 0 {
            head = (first, (head?.id == first ? head?.failures ?? 0 : 0) + 1)
            if head?.failures != Self.failures { return .later }
        }
        suspects = ids.count
        return .again
    }

    /// - Parameter isHead: the rows came from the head of the queue, not from its end.
    mutating func taken(_ count: Int, isHead: Bool) {
        guard isHead else { return }
        suspects = max(0, suspects - count)
        head = nil
        alone = nil
    }
}
