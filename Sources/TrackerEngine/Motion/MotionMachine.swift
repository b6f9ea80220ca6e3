import TrackerGeo
import TrackerModel

/// The four-state motion machine (spec capture §11). It only answers: every input returns the transition to announce,
/// if there was one, and `deadline` says when `timerFired` must be called.
struct MotionMachine {
    private enum State {
        case stopped
        case moving
        /// Stopping since `since`; stationary at `since` + the stop timeout.
        case stopPending(since: Instant)
        case stationary
    }

    var stopTimeoutMillis: Int64
    var triggerDelayMillis: Int64
    var stationaryRadiusM: Double
    var disableStopDetection: Bool

    private var inner = State.stopped
    /// When the present state was entered.
    private(set) var since = Instant.zero
    /// Where the present stop began.
    private(set) var stop: Coordinate?
    /// A move that waits out the trigger delay.
    private var moveDueAt: Instant?

    init(_ config: CaptureConfig) {
        stopTimeoutMillis = config.stopTimeoutMillis
        triggerDelayMillis = config.motionTriggerDelayMillis
        stationaryRadiusM = config.stationaryRadiusM
        disableStopDetection = config.disableStopDetection
    }

    var state: MotionState {
        switch inner {
        case .stopped: .stopped
        case .moving: .moving
        case .stopPending: .stopPending
        case .stationary: .stationary
        }
    }

    var deadline: Instant {
        var next = moveDueAt ?? .never
        if case .stopPending(let since) = inner { next = min(next, since.advanced(byMillis: stopTimeoutMillis)) }
        return next
    }

    /// An accepted fix, stamped moving or not.
    mutating func fixAccepted(at position: Coordinate, isMoving: Bool, _ now: Instant) -> MotionState? {
        let leftStop = stop.map { Geodesic.distanceM($0, position) > stationaryRadiusM } ?? false
        if isMoving || leftStop { return moveRequested(now) }
        return settled(at: position, now)
    }

    /// The accelerometer has been still long enough to say so with full confidence, and no speed contradicts it.
    mutating func stillLabelled(at position: Coordinate?, _ now: Instant) -> MotionState? { settled(at: position, now) }

    /// Fixes lie beyond the circle around the stop.
    mutating func stationaryFenceLeft(_ now: Instant) -> MotionState? {
        guard case .stationary = inner else { return nil }
        return moveRequested(now)
    }

    /// A label of movement: it ends a stop that has not become one yet. A resting tracker it only wakes, which is not
    /// this machine's.
    mutating func movementLabelled(_ now: Instant) -> MotionState? {
        guard case .stopPending = inner else { return nil }
        return enterMoving(now)
    }

    /// Steps or a second shaking prove movement without a fix.
    mutating func movementProven(_ now: Instant) -> MotionState? { moveRequested(now) }

    /// The operator says so: at once, whatever the trigger delay. Saying what is so already changes nothing.
    mutating func paceChanged(toMoving: Bool, at position: Coordinate?, _ now: Instant) -> MotionState? {
        moveDueAt = nil
        switch (inner, toMoving) {
        case (.moving, true), (.stationary, false): return nil
        case (_, true): return enterMoving(now)
        case (_, false):
            guard !disableStopDetection else { return nil }
            stop = position
            return enter(.stationary, now)
        }
    }

    mutating func timerFired(_ now: Instant) -> MotionState? {
        if let due = moveDueAt, due <= now {
            moveDueAt = nil
            return enterMoving(now)
        }
        if case .stopPending(let since) = inner, since.advanced(byMillis: stopTimeoutMillis) <= now {
            return enter(.stationary, now)
        }
        return nil
    }

    /// Continues where a restart of the same boot left off.
    mutating func resume(_ saved: MotionState, since savedSince: Instant, stop savedStop: Coordinate?) {
        switch saved {
        case .stopped: inner = .stopped
        case .moving: inner = .moving
        case .stopPending: inner = .stopPending(since: savedSince)
        case .stationary: inner = .stationary
        }
        since = savedSince
        stop = savedStop
    }

    private mutating func moveRequested(_ now: Instant) -> MotionState? {
        switch inner {
        case .moving: return nil
        case .stopPending: return enterMoving(now)
        case .stopped, .stationary:
            if triggerDelayMillis == 0 { return enterMoving(now) }
            if moveDueAt == nil { moveDueAt = now.advanced(byMillis: triggerDelayMillis) }
            return nil
        }
    }

    private mutating func settled(at position: Coordinate?, _ now: Instant) -> MotionState? {
        moveDueAt = nil
        guard case .moving = inner, !disableStopDetection else { return nil }
        stop = position
        return enter(.stopPending(since: now), now)
    }

    private mutating func enterMoving(_ now: Instant) -> MotionState? {
        stop = nil
        moveDueAt = nil
        return enter(.moving, now)
    }

    private mutating func enter(_ next: State, _ now: Instant) -> MotionState? {
        inner = next
        since = now
        return state
    }
}
