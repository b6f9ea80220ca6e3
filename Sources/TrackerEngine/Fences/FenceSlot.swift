import TrackerGeo
import TrackerModel

/// One watched fence: where the device is, and what would change that (spec api §6).
///
/// It only answers: a fix comes in, and what it changes comes out. A circle with a noisy receiver on its line would be
/// crossed every few seconds by the decision table alone; two things keep that away. A fix that the device cannot have
/// reached decides nothing by itself. And once a crossing is decided, the way back needs movement: a speed, or more
/// distance than the receiver's scatter explains.
struct FenceSlot {
    enum Change: Equatable {
        case entered(FenceMoment, isLate: Bool)
        case left(FenceMoment, isLate: Bool)
    }

    private enum State {
        /// No fix has decided yet; `isRestored`: since a start that came after the arming.
        case unknown(isRestored: Bool)
        case outside
        case inside
    }

    /// An unbroken run of fixes on the other side of the line.
    private struct Run {
        var lastIndex: Int
        /// When the line was crossed, where that could be interpolated.
        var edge: FenceMoment?
        var isLate: Bool
        /// Since when every fix has been far enough for two of them to decide.
        var provenSince: FenceMoment?
    }

    /// Fixes less accurate than this decide nothing, or less than the radius; and the first to decide (spec api §6).
    private static let uselessM = 50.0
    private static let firstM = 30.0
    /// Two fixes decide when they are this far apart.
    private static let confirmingMillis: Int64 = 1_000
    /// On the way back, without a speed: scatter of ±20 m (E-160) explains 40 m between two fixes, and that of a 68 %
    /// radius six times the radius.
    private static let scatterM = 40.0
    private static let scatterRadii = 6.0

    let fence: Geofence
    let centre: GeocentricPosition
    let radiusM: Double
    private var state: State
    private var run: Run?
    /// Since the last crossing, how deep inside or far outside the device has been; `nil`: no crossing to go back on.
    private var extremeM: Double?
    /// The last fix that was looked at, by its index, and how far it was; `nil`: not accurate enough.
    private(set) var evaluatedIndex = -1
    private(set) var distanceM: Double?
    /// While inside.
    var visit: FenceVisit?

    /// - Parameter visit: the fence is inside already.
    init(_ fence: Geofence, visit: FenceVisit?, isRestored: Bool) {
        self.fence = fence
        centre = GeocentricPosition(fence.centre)
        radiusM = fence.radiusM
        self.visit = visit
        state = visit == nil ? .unknown(isRestored: isRestored) : .inside
    }

    var isInside: Bool { if case .inside = state { true } else { false } }
    var isUnknown: Bool { if case .unknown = state { true } else { false } }

    /// A fix of this accuracy says that the device is outside, when it is known to be nowhere near.
    mutating func settleOutside(accuracyM: Double) {
        if isUnknown, accuracyM <= max(radiusM, Self.firstM) { state = .outside }
    }

    /// Forgets a crossing, so that the next fix may report it again.
    mutating func stayInside(_ visit: FenceVisit) {
        self = FenceSlot(fence, visit: visit, isRestored: false)
    }

    /// - Parameter step: the way to the fix from the one before; `nil` when there was none.
    mutating func judge(_ fix: FenceFix, _ step: FenceStep?) -> [Change] {
        let wasFollowed = evaluatedIndex == fix.index - 1
        evaluatedIndex = fix.index
        distanceM = nil
        guard fix.accuracyM <= max(radiusM, Self.uselessM) else { return [] }
        let distance = centre.distanceM(to: fix.place)
        distanceM = distance
        switch state {
        case .unknown(let isRestored):
            guard fix.accuracyM <= max(radiusM, Self.firstM) else { return [] }
            if distance <= radiusM { return [enter(fix.moment, isLate: isRestored, distance)] }
            state = .outside
            return []
        case .outside:
            if !wasFollowed { extremeM = nil }
            return distance <= radiusM ? judgeEntry(fix, step, distance) : judgePass(fix, step, distance)
        case .inside: return judgeExit(fix, step, distance)
        }
    }

    /// Outside so far, and this fix is not.
    private mutating func judgeEntry(_ fix: FenceFix, _ step: FenceStep?, _ distance: Double) -> [Change] {
        var run = continued(fix, step, isLate: false)
        let since = run.provenSince ?? fix.moment
        run.provenSince = since
        self.run = run
        let isClear = distance <= radiusM - margin(fix.accuracyM) && step?.isReachable ?? true
        let isConfirmed = fix.moment.millis(since: since) >= Self.confirmingMillis
        guard isClear || isConfirmed, mayGoBack(fix, distance) else { return [] }
        return [enter(run.edge ?? fix.moment, isLate: run.isLate, distance)]
    }

    /// Outside so far and now: but the way may have led through.
    private mutating func judgePass(_ fix: FenceFix, _ step: FenceStep?, _ distance: Double) -> [Change] {
        run = nil
        extremeM = extremeM.map { max($0, distance) }
        guard let step, step.millis <= FenceStep.passableMillis, step.isMoving, step.isReachable,
            isUsable(step.from), centre.distanceM(to: step.from.place) > radiusM
        else { return [] }
        let inner = radiusM - margin(max(step.from.accuracyM, fix.accuracyM))
        guard inner > 0, let closest = step.crossings(of: centre, radiusM: inner), closest.enter > 0, closest.leave < 1,
            let way = step.crossings(of: centre, radiusM: radiusM), mayGoBack(fix, distance)
        else { return [] }
        extremeM = distance
        return [
            .entered(step.moment(at: way.enter), isLate: false), .left(step.moment(at: way.leave), isLate: false),
        ]
    }

    /// Inside so far.
    private mutating func judgeExit(_ fix: FenceFix, _ step: FenceStep?, _ distance: Double) -> [Change] {
        let isFirst = visit?.isUnseen ?? false
        visit?.seen(at: fix.moment, isInside: distance <= radiusM)
        guard distance > radiusM else {
            run = nil
            extremeM = min(extremeM ?? distance, distance)
            return []
        }
        var run = continued(fix, step, isLate: isFirst)
        let isFar = distance > radiusM + max(10, 0.1 * radiusM)
        run.provenSince = isFar ? run.provenSince ?? fix.moment : nil
        self.run = run
        let isClear = distance >= radiusM + max(margin(fix.accuracyM), 10) && step?.isReachable ?? true
        let isConfirmed =
            run.provenSince.map { fix.moment.millis(since: $0) >= Self.confirmingMillis } ?? false
        guard isClear || isConfirmed, mayGoBack(fix, distance) else { return [] }
        // What is reported as a stay until then was not left before.
        let edge = run.edge.flatMap { edge in visit?.reportedAt.map { edge.instant < $0 } ?? false ? nil : edge }
        state = .outside
        visit = nil
        self.run = nil
        extremeM = distance
        return [.left(edge ?? fix.moment, isLate: run.isLate)]
    }

    private mutating func enter(_ moment: FenceMoment, isLate: Bool, _ distance: Double) -> Change {
        state = .inside
        run = nil
        extremeM = distance
        visit = FenceVisit(entry: moment, dwellAfterMillis: fence.dwellAfterMillis)
        return .entered(moment, isLate: isLate)
    }

    private func margin(_ accuracyM: Double) -> Double { min(accuracyM, radiusM / 2) }
    private func isUsable(_ fix: FenceFix) -> Bool { fix.accuracyM <= max(radiusM, Self.uselessM) }

    /// The run that this fix continues, or a new one that begins on the way to it.
    private func continued(_ fix: FenceFix, _ step: FenceStep?, isLate: Bool) -> Run {
        if var run, run.lastIndex == fix.index - 1 {
            run.lastIndex = fix.index
            if let step, step.millis > FenceStep.interpolatedMillis { run.edge = nil }
            return run
        }
        var edge: FenceMoment?
        if let step, step.millis <= FenceStep.interpolatedMillis, isUsable(step.from),
            let way = step.crossings(of: centre, radiusM: radiusM)
        {
            let fraction = isInside ? way.leave : way.enter
            if (0...1).contains(fraction) { edge = step.moment(at: fraction) }
        }
        let isOutage = step.map { $0.millis >= FenceStep.outageMillis } ?? false
        return Run(lastIndex: fix.index, edge: edge, isLate: isLate || isOutage)
    }

    private func mayGoBack(_ fix: FenceFix, _ distance: Double) -> Bool {
        guard let extremeM else { return true }
        if let speed = fix.speedMps, speed >= FenceStep.restingMps { return true }
        return abs(distance - extremeM) > max(Self.scatterM, Self.scatterRadii * fix.accuracyM)
    }
}
