/// How many rows one request may carry: halved when the server finds it too large or the link too slow, grown again
/// below what was refused.
struct BatchSizing {
    private let ceiling: Int
    private(set) var limit: Int
    /// The smallest batch that was too large.
    private var refused: Int?

    init(ceiling: Int) {
        self.ceiling = ceiling
        limit = ceiling
    }

    mutating func tooLarge(_ count: Int) {
        refused = count
        limit = max(1, count / 2)
    }

    /// A batch that was not full says nothing about larger ones. Below what was refused it grows by halves of the rest,
    /// and no more once that is a small part: on a slow link every refusal costs a time-out and all its bytes.
    mutating func taken(_ count: Int) {
        guard count >= limit else { return }
        var next = min(ceiling, limit * 2)
        if let refused { next = min(next, refused - limit > limit / 8 ? (limit + refused) / 2 : limit) }
        limit = max(1, next)
    }

    /// The queue is empty, or the one large row is out of the way: what was learned holds no longer.
    mutating func forget() {
        limit = ceiling
        refused = nil
    }
}
