import TrackerGeo
import TrackerModel

extension FenceMachine {
    /// Whether the newest fix lies within this many metres of a boundary of the operator's; false before there is one.
    public func isBoundaryNear(withinM metres: Double) -> Bool {
        guard let last, count > 0 else { return false }
        return slots(near: last.coordinate, withinM: metres).contains { number in
            slots[number].fence.id != Geofence.stationaryID
                && abs(slots[number].centre.distanceM(to: last.place) - slots[number].radiusM) <= metres
        }
    }

    private func slots(near place: Coordinate, withinM metres: Double) -> [Int] {
        let height = metres / FenceGrid.metresPerDegree
        let eastMetres = Geodesic.flatMetresPerDegree(atLatitude: place.latitude).east
        // Near a pole a degree of longitude is too short to be a measure.
        guard eastMetres > metres else { return Array(all) }
        let width = metres / eastMetres
        let west = Coordinate(
            latitude: max(-90, place.latitude - height), longitude: Geodesic.wrappedDegrees(place.longitude - width))
        let east = Coordinate(
            latitude: min(90, place.latitude + height), longitude: Geodesic.wrappedDegrees(place.longitude + width))
        return grid.slots(from: west, to: east) ?? Array(all)
    }
}
