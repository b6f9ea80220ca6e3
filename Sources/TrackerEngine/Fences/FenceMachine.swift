import TrackerGeo
public import TrackerModel

/// Watches circles on the ground on every raw valid fix (spec api §6): who enters, leaves and stays. It knows nothing of
/// sessions, and owns no clock, file or device.
///
/// What survives a restart is the history alone: the newest crossing of a fence says whether the device was inside, since
/// when, and whether that stay has been reported.
public struct FenceMachine {
    let boundary: BoundaryRules
    /// By number; the ones that are free are in `vacant` and in no other list.
    var slots: [FenceSlot] = []
    private var vacant: [Int] = []
    private var numbers: [String: Int] = [:]
    var grid = FenceGrid()
    /// Looked at with every fix, wherever it is.
    var inside: Set<Int> = []
    /// Until a fix has said where they are.
    var unknown: Set<Int> = []
    /// The newest valid fix.
    var last: FenceFix?
    private var watchedSince = Instant.zero
    private var announcedWake = Instant.never
    /// How many fences a fix was compared with, all in all: the cost, for those who measure it.
    private(set) var evaluations = 0

    /// - Parameter config: its rules for what is a valid fix at all.
    public init(_ config: CaptureConfig) {
        boundary = BoundaryRules(stalenessMillis: config.deliveryStalenessMillis, mockPolicy: config.mockPolicy)
    }

    /// The operator's fences.
    public var count: Int { numbers.count - (numbers[Geofence.stationaryID] == nil ? 0 : 1) }

    public func isArmed(_ id: String) -> Bool { numbers[id] != nil }

    /// Ids of the operator's fences the device is inside of, in order.
    public var insideIDs: [String] {
        inside.map { slots[$0].fence.id }.filter { $0 != Geofence.stationaryID }.sorted()
    }

    public mutating func handle(_ event: FenceEvent, at now: Instant, into actions: inout [FenceAction]) {
        var found = FenceFindings()
        switch event {
        case .restored(let fences):
            watchedSince = now
            for armed in fences { insert(FenceSlot(armed.fence, visit: restoredVisit(armed), isRestored: true)) }
            found.isFixWanted = !fences.isEmpty
        case .armed(let armed): arm(armed, now, &found)
        case .removed(let id): remove(id)
        case .allRemoved: for id in numbers.keys where id != Geofence.stationaryID { remove(id) }
        case .fixDetermined(let fix): determined(fix, now, &found)
        case .dwellsDue(let trusted): checkDwells(trusted: trusted, now, &found)
        case .stationaryArmed(let centre, let radiusM): armStationary(centre, radiusM, now)
        case .stationaryDisarmed: remove(Geofence.stationaryID)
        }
        actions += found.actions
        announceWake(now, &actions)
    }

    private mutating func arm(_ armed: ArmedFence, _ now: Instant, _ found: inout FenceFindings) {
        let dwell = armed.fence.dwellAfterMillis
        var visit: FenceVisit?
        if armed.wasInside {
            visit =
                moment(now).map { FenceVisit(entry: $0, dwellAfterMillis: dwell) }
                ?? FenceVisit(beginningWithFix: dwell)
        }
        let number = insert(FenceSlot(armed.fence, visit: visit, isRestored: false))
        if var fix = freshFix(now), let moment = moment(now) {
            // The crossing, if it is one, is of the arming and not of the fix before it.
            fix.moment = moment
            judge(number, fix, nil, &found)
        }
        if slots[number].isUnknown { found.isFixWanted = true }
    }

    private mutating func armStationary(_ centre: Coordinate, _ radiusM: Double, _ now: Instant) {
        guard centre.isValid, radiusM.isFinite, radiusM > 0, radiusM <= 1e6 else { return }
        remove(Geofence.stationaryID)
        let fence = Geofence(
            id: Geofence.stationaryID, latitudeE7: centre.latitudeE7, longitudeE7: centre.longitudeE7,
            radiusMM: Int64((radiusM * 1_000).rounded()))
        insert(FenceSlot(fence, visit: Self.stationaryVisit, isRestored: false))
    }

    /// Without a dwell, and of no known beginning.
    static let stationaryVisit = FenceVisit(restoredWith: nil)

    /// What the history says of a fence that was armed in an earlier run.
    private func restoredVisit(_ armed: ArmedFence) -> FenceVisit? {
        guard armed.wasInside, let latest = armed.latest else { return nil }
        let isReported = latest.kind == .dwell && !armed.isLatestOlder
        guard let dwell = armed.fence.dwellAfterMillis, !isReported else { return FenceVisit(restoredWith: nil) }
        // A clock that nobody had set when the fence was armed anew says a time before its last crossing.
        let entry = armed.isLatestOlder ? max(armed.armedAt, latest.time) : latest.time
        return FenceVisit(restoredWith: entry.advanced(byMillis: dwell))
    }

    @discardableResult
    private mutating func insert(_ slot: FenceSlot) -> Int {
        remove(slot.fence.id)
        let number: Int
        if let free = vacant.popLast() {
            number = free
            slots[free] = slot
        } else {
            number = slots.count
            slots.append(slot)
        }
        numbers[slot.fence.id] = number
        grid.insert(number, centre: slot.fence.centre, radiusM: slot.radiusM)
        if slot.isInside { inside.insert(number) } else { unknown.insert(number) }
        return number
    }

    private mutating func remove(_ id: String) {
        guard let number = numbers.removeValue(forKey: id) else { return }
        grid.remove(number, centre: slots[number].fence.centre, radiusM: slots[number].radiusM)
        inside.remove(number)
        unknown.remove(number)
        vacant.append(number)
    }

    /// Every fence that is armed, by number.
    var all: some Collection<Int> { numbers.values }

    /// Now, by the time of the newest fix.
    private func moment(_ now: Instant) -> FenceMoment? {
        last.map { $0.moment.advanced(byMillis: now.millis(since: $0.moment.instant)) }
    }

    func freshFix(_ now: Instant) -> FenceFix? {
        last.flatMap { now.millis(since: $0.moment.instant) <= FenceVisit.freshMillis ? $0 : nil }
    }

    /// Lets one fence judge one fix, once.
    mutating func judge(_ number: Int, _ fix: FenceFix, _ step: FenceStep?, _ found: inout FenceFindings) {
        guard slots[number].evaluatedIndex != fix.index else { return }
        evaluations += 1
        let changes = slots[number].judge(fix, step)
        if !slots[number].isUnknown { unknown.remove(number) }
        let fence = slots[number].fence
        if fence.id == Geofence.stationaryID {
            guard !changes.isEmpty else { return }
            found.isStationaryLeft = true
            slots[number].stayInside(Self.stationaryVisit)
            return
        }
        for change in changes {
            switch change {
            case .entered(let moment, let isLate):
                found.add(FenceCrossing(fence, .enter, at: moment.time, isLate: isLate))
            case .left(let moment, let isLate):
                found.add(FenceCrossing(fence, .exit, at: moment.time, isLate: isLate))
            }
        }
        if slots[number].isInside { inside.insert(number) } else { inside.remove(number) }
    }

    mutating func checkDwells(trusted: UTCTime?, _ now: Instant, _ found: inout FenceFindings) {
        let fix = freshFix(now)
        for number in inside {
            var isConfirmed: Bool?
            if let fix, slots[number].evaluatedIndex == fix.index, let distance = slots[number].distanceM {
                isConfirmed = distance <= slots[number].radiusM
            }
            switch slots[number].visit?.checkDwell(
                isConfirmed: isConfirmed, trusted: trusted, watchedSince: watchedSince, at: now)
            {
            case .none?, nil: break
            case .fixWanted?: found.isFixWanted = true
            case .report(let time, let isLate, let isUnverified)?:
                found.add(
                    FenceCrossing(slots[number].fence, .dwell, at: time, isLate: isLate, isUnverified: isUnverified))
            }
        }
    }

    private mutating func announceWake(_ now: Instant, _ actions: inout [FenceAction]) {
        let wake = inside.reduce(Instant.never) { min($0, slots[$1].visit?.nextCheck(after: now) ?? .never) }
        if wake != announcedWake { actions.append(.wake(at: wake)) }
        announcedWake = wake
    }
}

extension ArmedFence {
    /// The history leaves the device inside. An entry that nobody was told of does not count where somebody is to be.
    fileprivate var wasInside: Bool {
        guard let latest else { return false }
        return latest.leavesInside && (latest.isNotified || !fence.notifyOnEntry)
    }
}
