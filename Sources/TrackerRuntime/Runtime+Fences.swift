import Ports
import SyncEngine
import TrackerEngine
import TrackerModel
import WireText

/// Geofences for the operator, and the circle around a stop for the motion machine.
extension Runtime {
    /// Crossings that `fence history` shows when it is not told how many, and at most (spec api §6).
    private static let defaultLimit: Int64 = 200
    private static let limits: ClosedRange<Int64> = 1...5_000
    /// Names in the status; a device may be inside of thousands.
    private static let shownNames = 10

    func makeFences() -> FenceKeeper {
        FenceKeeper(
            config.capture,
            FenceKeeper.Surroundings(
                store: ports.store, reactor: ports.reactor,
                emit: { [unowned self] event in
                    emit(event)
                    switch event {
                    case .geofenceEnter, .geofenceExit: uploader?.hurry(.fenceCrossing)
                    default: break
                    }
                },
                log: { [unowned self] in log($0, $1, $2) }, utcNow: { [unowned self] in utcNow },
                trustedNow: { [unowned self] in trustedNow },
                onStationaryLeft: { [unowned self] in step(.stationaryFenceLeft) },
                onFixWanted: { [unowned self] in wantFix() }))
    }

    /// Takes up the fences of earlier runs, and the stop that the session was resumed in.
    func startFences() throws(StoreFailure) {
        try fences.start()
        watchStop(engine.motionState)
    }

    func watchStop(_ state: MotionState) {
        guard config.useStationaryFence else { return }
        fences.motionChanged(
            state, at: engine.stop ?? lastStored?.coordinate, radiusM: config.capture.stationaryRadiusM)
    }

    /// Nothing while there is no fence, and nothing to tell of those there were.
    var fenceStatus: JSONValue? {
        guard fences.count > 0 || fences.waitingCount > 0 || fences.dropped > 0 else { return nil }
        var status: JSONObject = ["armed": .int(Int64(fences.count))]
        if fences.waitingCount > 0 { status["waiting"] = .int(Int64(fences.waitingCount)) }
        if fences.dropped > 0 { status["dropped"] = .int(fences.dropped) }
        let inside = fences.insideIDs
        if !inside.isEmpty {
            let more = inside.count > Self.shownNames ? " and \(inside.count - Self.shownNames) more" : ""
            status["inside"] = .string(inside.prefix(Self.shownNames).joined(separator: ", ") + more)
        }
        return .object(status)
    }

    func addGeofence(_ arguments: JSONObject) -> OperationAnswer {
        let request = FenceRequest(arguments)
        guard let fence = request.fence else {
            return .refused(.invalidConfig, request.problems.joined(separator: "\n"))
        }
        guard fences.mayArm(fence.id) else {
            return .refused(.invalidConfig, "\(Geofence.mostArmed) fences are armed, which is the most; remove one")
        }
        return answer { () throws(StoreFailure) -> JSONValue in
            try fences.arm(fence)
            var object = fence.json
            if fence.isBelowReliableRadius {
                object["warning"] = "a receiver's scatter decides as much as the movement below 30 m"
            }
            return .object(object)
        }
    }

    func geofences() -> OperationAnswer {
        answer { () throws(StoreFailure) -> JSONValue in
            let inside = Set(fences.insideIDs)
            return .array(
                try ports.store.fences().map { armed in
                    var object = armed.fence.json
                    object["armedAtMs"] = .int(armed.armedAt.millis)
                    object["inside"] = .bool(inside.contains(armed.fence.id))
                    return .object(object)
                })
        }
    }

    /// `removed` is false, and nobody is told, where there is no such fence.
    func removeGeofence(_ arguments: JSONObject) -> OperationAnswer {
        guard let id = arguments["id"]?.stringValue else { return .refused(.invalidRequest, "id: give a name as text") }
        return answer { () throws(StoreFailure) -> JSONValue in ["removed": .bool(try fences.remove(id))] }
    }

    func removeAllGeofences() -> OperationAnswer {
        answer { () throws(StoreFailure) -> JSONValue in ["removed": .int(Int64(try fences.removeAll()))] }
    }

    func geofenceEvents(_ arguments: JSONObject) -> OperationAnswer {
        var problems: [String] = []
        let id = fenceID(arguments, &problems)
        let limit = arguments["limit"].map { $0.intValue ?? 0 } ?? Self.defaultLimit
        if !Self.limits.contains(limit) {
            problems.append("limit: give \(Self.limits.lowerBound) to \(Self.limits.upperBound)")
        }
        if !problems.isEmpty { return .refused(.invalidRequest, problems.joined(separator: "\n")) }
        return answer { () throws(StoreFailure) -> JSONValue in
            .array(try ports.store.crossings(fenceID: id, limit: Int(limit)).map(\.json))
        }
    }

    func deleteGeofenceEvents(_ arguments: JSONObject) -> OperationAnswer {
        var problems: [String] = []
        let id = fenceID(arguments, &problems)
        if !problems.isEmpty { return .refused(.invalidRequest, problems.joined(separator: "\n")) }
        return answer { () throws(StoreFailure) -> JSONValue in
            ["deleted": .int(try ports.store.deleteCrossings(fenceID: id))]
        }
    }

    /// `nil` where none is named: all of them. A name that is no text must not become all.
    private func fenceID(_ arguments: JSONObject, _ problems: inout [String]) -> String? {
        guard let value = arguments["id"] else { return nil }
        if value.stringValue == nil { problems.append("id: give a name as text, or leave it out for all") }
        return value.stringValue
    }

    private func answer(_ work: () throws(StoreFailure) -> JSONValue) -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in try OperationRefusal.store(work) }
    }
}
