/// Whether what is new from fix to fix is taken back by the next (independent errors: correlation −½), or stays (wandering
/// ones: 0).
struct ChangeStatistics {
    private static let memory = 25.0
    private var last: (east: Double, north: Double)?
    private var square = 0.0
    private var product = 0.0

    var correlation: Double { square > 0 ? product / square : 0 }

    mutating func add(east: Double, north: Double) {
        var change = (east: east, north: north)
        // One wild fix must not decide.
        let length = east * east + north * north
        if square > 0, length > 9 * square {
            let scale = (9 * square / length).squareRoot()
            change = (east * scale, north * scale)
        }
        if let last {
            square += (change.east * change.east + change.north * change.north - square) / Self.memory
            product += (change.east * last.east + change.north * last.north - product) / Self.memory
        } else {
            square = length
        }
        last = change
    }
}
