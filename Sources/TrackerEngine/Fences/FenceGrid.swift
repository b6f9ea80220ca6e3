import TrackerGeo
import TrackerModel

/// Which fences may be near: cells of 0.01° of latitude and longitude, and of 0.1° and 1° for fences that would fill too
/// many of those. Columns wrap at ±180°; at a pole a fence fills its whole rows.
struct FenceGrid {
    private struct Level {
        /// Side of a cell, degrees, and how many make a turn.
        var side: Double
        var columns: Int
        var rows: Int { columns / 2 }
    }

    /// Rows and columns of cells; columns count on over a whole turn and are wrapped when they are looked up.
    private struct Box {
        var level: Int
        var rows: ClosedRange<Int>
        var columns: ClosedRange<Int>
        var count: Int { rows.count * columns.count }
    }

    private struct Cell: Hashable {
        var level: Int
        var row: Int
        var column: Int
    }

    private static let levels = [
        Level(side: 0.01, columns: 36_000), Level(side: 0.1, columns: 3_600), Level(side: 1, columns: 360),
    ]
    /// A fence or a way that fills more cells goes to the next level.
    private static let mostCells = 64
    /// What a cell must reach beyond the circle: 1 % for the shape of the earth, and the way of a fix.
    private static let padding = (factor: 1.01, metres: 50.0)
    /// The shortest degree of latitude, at the equator.
    static let metresPerDegree = 110_500.0

    private var cells: [Cell: [Int]] = [:]

    mutating func insert(_ slot: Int, centre: Coordinate, radiusM: Double) {
        for cell in Self.cells(of: Self.box(centre, radiusM)) { cells[cell, default: []].append(slot) }
    }

    mutating func remove(_ slot: Int, centre: Coordinate, radiusM: Double) {
        for cell in Self.cells(of: Self.box(centre, radiusM)) {
            cells[cell]?.removeAll { $0 == slot }
            if cells[cell]?.isEmpty == true { cells[cell] = nil }
        }
    }

    /// The fences that the way from `start` to `end` may touch, some of them more than once; `nil` when that is not worth
    /// finding out, near a pole, and all must be looked at.
    func slots(from start: Coordinate, to end: Coordinate) -> [Int]? {
        if cells.isEmpty { return [] }
        let turn = Geodesic.wrappedDegrees(end.longitude - start.longitude)
        let west = start.longitude + min(0, turn)
        var found: [Int] = []
        for level in Self.levels.indices {
            let box = Self.box(
                level, south: min(start.latitude, end.latitude), north: max(start.latitude, end.latitude), west: west,
                width: abs(turn))
            if box.count > Self.mostCells { return nil }
            for cell in Self.cells(of: box) { found += cells[cell] ?? [] }
        }
        return found
    }

    private static func box(_ centre: Coordinate, _ radiusM: Double) -> Box {
        let reach = radiusM * padding.factor + padding.metres
        let height = reach / metresPerDegree
        let top = abs(centre.latitude) + height
        // Nearer to a pole the metres of a degree of longitude are not to be relied on.
        let width =
            top >= 89.9
            ? 360 : min(360, 2 * padding.factor * reach / Geodesic.flatMetresPerDegree(atLatitude: top).east)
        var box = Box(level: 0, rows: 0...0, columns: 0...0)
        for level in levels.indices {
            box = Self.box(
                level, south: centre.latitude - height, north: centre.latitude + height,
                west: centre.longitude - width / 2, width: width)
            if box.count <= mostCells { break }
        }
        return box
    }

    private static func box(_ index: Int, south: Double, north: Double, west: Double, width: Double) -> Box {
        let level = levels[index]
        func row(_ latitude: Double) -> Int {
            min(level.rows - 1, max(0, Int(((latitude + 90) / level.side).rounded(.down))))
        }
        func column(_ longitude: Double) -> Int { Int(((longitude + 180) / level.side).rounded(.down)) }
        let (first, last) = (column(west), column(west + width))
        let isWholeTurn = last - first + 1 >= level.columns
        return Box(
            level: index, rows: row(south)...max(row(south), row(north)),
            columns: isWholeTurn ? 0...(level.columns - 1) : first...max(first, last))
    }

    private static func cells(of box: Box) -> [Cell] {
        let turn = levels[box.level].columns
        var cells: [Cell] = []
        cells.reserveCapacity(box.count)
        for row in box.rows {
            for column in box.columns {
                let wrapped = ((column % turn) + turn) % turn
                cells.append(Cell(level: box.level, row: row, column: wrapped))
            }
        }
        return cells
    }
}
