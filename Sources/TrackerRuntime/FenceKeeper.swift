import Ports
import TrackerEngine
import TrackerModel

/// The fences of a device: the machine that watches them, their rows in the store, and the timer of their dwells.
///
/// It asks for no session. A crossing is stored before anybody hears of it; while the store refuses it waits here, and
/// nothing is told out of order.
final class FenceKeeper {
    /// Crossings held at most while the store refuses; the oldest goes first.
    static let waitingCapacity = 1_000

    /// What it needs of the runtime.
    struct Surroundings {
        var store: any TrackStore
        var reactor: any Reactor
        var emit: (TrackerEvent) -> Void
        var log: (LogLevel, String, [(String, LogValue)]) -> Void
        /// The best UTC there is, and the same when something vouches for it.
        var utcNow: () -> UTCTime
        var trustedNow: () -> UTCTime?
        /// The circle around the stop was left.
        var onStationaryLeft: () -> Void
        /// A fix is wanted soon.
        var onFixWanted: () -> Void
    }

    private let around: Surroundings
    private var machine: FenceMachine
    private let alarm: Alarm
    private var waiting: [FenceCrossing] = []
    private var failure: StoreFailure?
    /// Crossings given up because too many waited for the store.
    private(set) var dropped: Int64 = 0

    init(_ config: CaptureConfig, _ around: Surroundings) {
        self.around = around
        alarm = Alarm(around.reactor)
        machine = FenceMachine(config)
    }

    /// Fences that are armed, and ids of those the device is inside of, in order.
    var count: Int { machine.count }
    var insideIDs: [String] { machine.insideIDs }
    var waitingCount: Int { waiting.count }

    /// Whether the newest fix lies within this many metres of a boundary.
    func isBoundaryNear(withinM metres: Double) -> Bool { machine.isBoundaryNear(withinM: metres) }

    /// Takes up the fences of earlier runs, and looks at once whether a dwell was completed meanwhile.
    func start() throws(StoreFailure) {
        let fences = try around.store.fences()
        let watched = fences.prefix(Geofence.mostArmed)
        if !watched.isEmpty { step(.restored(Array(watched))) }
        if fences.count > watched.count {
            let more = fences.count - watched.count
            around.emit(
                .diagnostic(
                    "geofences_not_watched:\(more): \(Geofence.mostArmed) are; remove as many and start again"))
        }
        check()
    }

    func stop() {
        flush()
        if !waiting.isEmpty {
            around.log(.error, "fence.crossings_lost", [("count", .int(Int64(waiting.count)))])
        }
        alarm.cancel()
    }

    /// Every fix of the receiver, before anybody judges it.
    func fixArrived(_ fix: TrackFix) { step(.fixDetermined(fix)) }

    /// Looks at the dwells, and tries again what could not be stored.
    func check() {
        flush()
        step(.dwellsDue(trusted: around.trustedNow()))
    }

    /// Watches the circle around a stop while there is one.
    func motionChanged(_ state: MotionState, at position: Coordinate?, radiusM: Double) {
        if state == .stationary, let position {
            step(.stationaryArmed(position, radiusM: radiusM))
        } else {
            step(.stationaryDisarmed)
        }
    }

    /// Whether one more may be armed, or the one of that id replaced.
    func mayArm(_ id: String) -> Bool { machine.count < Geofence.mostArmed || machine.isArmed(id) }

    func arm(_ fence: Geofence) throws(StoreFailure) {
        flush()
        let armed = try around.store.arm(fence, at: around.utcNow())
        around.emit(.geofenceAdded(fence))
        if fence.isBelowReliableRadius {
            let metres = fence.radiusMM / 1_000
            around.emit(.diagnostic("geofence_radius_below_reliable_minimum: \(fence.id) has \(metres) m"))
        }
        step(.armed(armed))
    }

    /// False when there is no such fence; then nobody is told.
    func remove(_ id: String) throws(StoreFailure) -> Bool {
        flush()
        guard try around.store.removeFence(id: id, at: around.utcNow()) else { return false }
        // The store has ended the stay; what still waits would begin it again.
        waiting.removeAll { $0.fenceID == id }
        step(.removed(id: id))
        around.emit(.geofenceRemoved(id: id))
        return true
    }

    /// Returns how many there were.
    func removeAll() throws(StoreFailure) -> Int {
        flush()
        let ids = try around.store.removeAllFences(at: around.utcNow())
        waiting.removeAll()
        step(.allRemoved)
        for id in ids { around.emit(.geofenceRemoved(id: id)) }
        return ids.count
    }

    private func step(_ event: FenceEvent) {
        var actions: [FenceAction] = []
        machine.handle(event, at: around.reactor.now, into: &actions)
        actions.forEach(perform)
    }

    private func perform(_ action: FenceAction) {
        switch action {
        case .cross(let crossing):
            waiting.append(crossing)
            if waiting.count > Self.waitingCapacity {
                waiting.removeFirst()
                dropped += 1
            }
            flush()
        case .requestFix: around.onFixWanted()
        case .leaveStationary: around.onStationaryLeft()
        case .wake(let deadline): alarm.set(at: deadline, toleranceMillis: 0) { [unowned self] in check() }
        }
    }

    /// Stores what waits, oldest first, and stops at the first refusal.
    private func flush() {
        while let crossing = waiting.first {
            do throws(StoreFailure) {
                let id = try around.store.append(crossing)
                failure = nil
                waiting.removeFirst()
                if let id { stored(crossing, id) }
            } catch {
                if failure == nil {
                    around.emit(.error(ErrorCode(error), error.message))
                }
                failure = error
                return
            }
        }
    }

    private func stored(_ crossing: FenceCrossing, _ id: Int64) {
        guard crossing.isNotified else { return }
        var crossing = crossing
        crossing.id = id
        switch crossing.kind {
        case .enter: around.emit(.geofenceEnter(crossing))
        case .exit: around.emit(.geofenceExit(crossing))
        case .dwell: around.emit(.geofenceDwell(crossing))
        }
    }
}
