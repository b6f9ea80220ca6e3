import TrackerModel

/// What one event brought about, to be put in order: crossings by their time, then by id, whatever order the fences were
/// looked at in.
struct FenceFindings {
    private var crossings: [FenceCrossing] = []
    var isFixWanted = false
    var isStationaryLeft = false

    mutating func add(_ crossing: FenceCrossing) { crossings.append(crossing) }

    var actions: [FenceAction] {
        let ordered = crossings.enumerated().sorted { a, b in
            if a.element.time != b.element.time { return a.element.time < b.element.time }
            if a.element.fenceID != b.element.fenceID { return a.element.fenceID < b.element.fenceID }
            return a.offset < b.offset
        }
        var actions = ordered.map { FenceAction.cross($0.element) }
        if isStationaryLeft { actions.append(.leaveStationary) }
        if isFixWanted { actions.append(.requestFix) }
        return actions
    }
}
