import Ports
import TrackerModel

/// Commits what the engine decided, in order, and holds it in memory while the store refuses (full, read-only): nothing
/// a fix decided is lost before the journal is full, and nobody hears of a point before it is durable.
struct CommitJournal {
    /// Records held at most while the store refuses (edge case E-140).
    static let capacity = 1_000

    private var waiting: [FixRecord] = []
    private(set) var failure: StoreFailure?
    /// Records given up because the journal was full.
    private(set) var dropped: Int64 = 0

    var waitingCount: Int { waiting.count }

    mutating func append(_ record: FixRecord) {
        waiting.append(record)
        if waiting.count > Self.capacity {
            // A decision without a point is the cheaper loss.
            let index = waiting.firstIndex { $0.point == nil } ?? 0
            waiting.remove(at: index)
            dropped += 1
        }
    }

    /// What stands in the way before anything can be committed.
    mutating func refuse(_ failure: StoreFailure) { self.failure = failure }

    /// Commits what waits, oldest first, and stops at the first refusal. `durable` hears of each record that is stored
    /// now, with the insertion id of its point; a point that was stored before has none.
    mutating func flush(to store: any TrackStore, durable: (FixRecord, Int64?) -> Void) {
        var done = 0
        defer { waiting.removeFirst(done) }
        for record in waiting {
            do throws(StoreFailure) {
                let id = try store.commit(record)
                failure = nil
                done += 1
                durable(record, id)
            } catch {
                failure = error
                return
            }
        }
    }
}
